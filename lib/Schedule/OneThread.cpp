//===- OneThread.cpp - What one thread of a kernel computes ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sum[0] = 0                   for once in 0 .. 32 {
//   for i in 0 .. N {              sum[once] = 0
//     sum[0] += x[i]               for i in 0 .. N {
//   }                                sum[once] += x[i]
//   out[0] = sum[0]                }
//                                  if once <= 0 {
//                                    out[once] = sum[once]
//                                  }
//                                }
//
//===----------------------------------------------------------------------===//

#include "OneThread.h"
#include "convopt/Target/Shuffle.h"

using namespace llvm;

namespace convopt {

bool isOfOneThread(const Node &n) {
  const auto *loop = dyn_cast<Loop>(&n);
  if (!loop)
    return true;
  const auto all = collect<Statement>(loop->body);
  std::vector<const Loop *> loops = collect<Loop>(loop->body);
  loops.push_back(loop);
  return any_of(all, std::mem_fn(&Statement::accumulates)) &&
         none_of(all, [&](const Statement *s) {
           return any_of(loops,
                         [&](const Loop *l) { return uses(s->target, l->id); });
         });
}

/// Whether each thread of a warp may compute \p body, which sets \p arrays.
static bool mayRepeat(const Nest &nest, const Body &body,
                      ArrayRef<unsigned> ofWarp) {
  const auto all = collect<Statement>(body);
  return all_of(all, [&](const Statement *s) {
    const unsigned array = s->target.array;
    return nest.arrays[array].isLocal() || is_contained(ofWarp, array) ||
           (!s->accumulates() && none_of(all, [&](const Statement *other) {
             return reads(*other, array);
           }));
  });
}

Body inOneThread(Nest &nest, const Body &body, ArrayRef<unsigned> ofWarp) {
  auto once =
      std::make_shared<Loop>(nest.addLoopName("once"), body.front()->range);
  const IndexExpr at = IndexExpr::loop(once->id);
  const bool isRepeated = mayRepeat(nest, body, ofWarp);
  once->lower = {{IndexExpr(0)}};
  once->upper = {{IndexExpr(isRepeated ? int64_t(WarpSize) : 1)}};
  std::vector<unsigned> set; // elements that are the loop's, and no sums of it
  for (const Statement *s : collect<Statement>(body))
    if (!nest.arrays[s->target.array].isLocal())
      set.push_back(s->target.array);
  once->body = rewriteEach<Statement>(body, [&](const Statement *s) -> Body {
    const auto copy = mapAccesses(*s, [&](Access &a) {
      if (is_contained(set, a.array) && !a.subscripts.empty())
        a.subscripts.back() += at;
    });
    copy->iterators.insert(copy->iterators.begin(), once->id);
    copy->instance.insert(copy->instance.begin(), at);
    if (!isRepeated || nest.arrays[s->target.array].isLocal() ||
        is_contained(ofWarp, s->target.array))
      return {copy};
    auto first = std::make_shared<Guard>(s->range);
    first->conditions = {{Constraint::NonNegative, IndexExpr(0) - at}};
    first->body = {copy};
    return {first};
  });
  return {once};
}

} // namespace convopt
