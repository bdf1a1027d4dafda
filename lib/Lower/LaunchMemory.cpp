//===- LaunchMemory.cpp - Memory that several launches share --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "Values.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

LaunchMemory::LaunchMemory(const Context &c, ArrayRef<const Nest *> nests,
                           Names &names, Block &b) {
  for (const Argument &a :
       drop_begin(nests.front()->function.arguments, c.arguments.size())) {
    if (a.role != Argument::ArrayArg)
      continue;
    const Nest &nest = **find_if(
        nests, [&](const Nest *n) { return touches(n->body, a.index); });
    const Array &array = nest.arrays[a.index];
    Part part{array, variable(pointer(array.elementType), names.fresh(a.name)),
              variable(wide("size_t"), names.fresh(a.name + "_elements"),
                       /*isConst=*/true)};
    std::vector<Expr> extents;
    for (const IndexExpr &e : array.extents)
      extents.push_back(names.wideValue(nest.expandDefinitions(e)));
    define(b, part.elements, elementCount(c, std::move(extents)));
    parts.push_back(std::move(part));
  }
}

void LaunchMemory::take(const Context &c, const Expr &error, const Expr &stream,
                        Block &b) const {
  for (const Part &p : parts)
    lower::take(c, error, p.pointer, p.elements, p.array.elementType, stream,
                "'" + p.array.name + "'", b);
}

void LaunchMemory::free(const Expr &error, const Expr &stream, Names &names,
                        Block &b) const {
  for (const Part &p : reverse(parts))
    finish(where(b, isNot(p.pointer, "nullptr")), error,
           variable(errorType(), names.fresh("freed"), /*isConst=*/true),
           call("cudaFreeAsync", {p.pointer, stream}));
}

std::vector<Expr> LaunchMemory::pointers() const {
  std::vector<Expr> all;
  for (const Part &p : parts)
    all.push_back(p.pointer);
  return all;
}

} // namespace convopt::lower
