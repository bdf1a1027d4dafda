//===- Atomics.cpp - Additions that threads may share ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Resolve.h"

using namespace llvm;

namespace convopt {

Error checkAtomics(const NestBuilder &b) {
  const Nest &nest = b.nest;
  for (const StatementPath &p : statements(nest))
    for (const ThreadMap &m : nest.function.threadMaps) {
      const Access &target = p.statement->target;
      const bool isOwn = any_of(target.subscripts, [&](const IndexExpr &e) {
        return e.coefficient(loopVar(m.loop)) != 0 &&
               none_of(e.vars(), [&](Var v) {
                 return v.kind == Var::Loop && v.id != m.loop;
               });
      });
      if (b.atomics.count(p.statement->id) && !isOwn)
        return refuse(diag::Atomic,
                      "several threads add to one element of '" +
                          nest.arrays[target.array].name +
                          "', in an order that nothing says",
                      p.statement->range,
                      "add up in the thread of the output, in a loop over '" +
                          nest.loopNames[m.loop] + "'");
    }
  return Error::success();
}

} // namespace convopt
