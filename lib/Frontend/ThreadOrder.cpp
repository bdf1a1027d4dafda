//===- ThreadOrder.cpp - Threads' loops in the output's order -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadMapping.h"

using namespace llvm;

namespace convopt {

void orderThreadLoops(Nest &nest) {
  // The output's dimension that a loop indexes; batch first otherwise.
  std::map<unsigned, size_t> place;
  for (const StatementPath &p : statements(nest)) {
    const Access &a = p.statement->target;
    if (nest.arrays[a.array].isLocal())
      continue;
    for (auto [k, e] : enumerate(a.subscripts))
      for (Var v : e.vars())
        if (v.kind == Var::Loop)
          place.try_emplace(v.id, k + 1);
  }
  std::vector<std::shared_ptr<Loop>> loops;
  Body body = nest.body;
  for (size_t k = 0; k != nest.function.threadMaps.size(); ++k) {
    loops.push_back(std::make_shared<Loop>(*cast<Loop>(body[0].get())));
    body = Body(loops.back()->body);
  }
  stable_sort(loops, [&](const auto &a, const auto &o) {
    return place[a->id] < place[o->id];
  });
  for (auto &l : reverse(loops)) {
    l->body = std::move(body);
    body = {l};
  }
  nest.body = std::move(body);
  stable_sort(nest.function.threadMaps,
              [&](const ThreadMap &a, const ThreadMap &o) {
                return place[a.loop] < place[o.loop];
              });
}

} // namespace convopt
