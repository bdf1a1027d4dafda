//===- AtomicKernels.cpp - The kernels of sums that are added atomically --===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y_b grid.x {              for y_b grid.x {
//     for y_t block.x {             for c_b grid.z {
//       local sum                     for y_t block.x {
//       sum = bias                      local sum
//       y = sum                         sum = 0
//     }                                 for c_i {
//   }                                     sum += ...
//                                       }
//                                       y += sum      (atomically)
//                                     }
//                                   }
//                                 }
//
// Threads that share sums do so likewise, their loop being the innermost of the
// block's.
//
//===----------------------------------------------------------------------===//

#include "SplitKernels.h"
#include "SplitSums.h"
#include "convopt/Nest/SplitSum.h"

using namespace llvm;

namespace convopt::lower {

/// What stores sums in \p after, as updates of what is stored by the sums;
/// nothing else.
static Body updatesIn(const Body &after, const Split &split) {
  auto stores = [&](const Node &n) {
    const auto *s = dyn_cast<Statement>(&n);
    return s && sumIn(*s, split);
  };
  return rewrite(after, [&](const NodeRef &n) -> std::optional<Body> {
    bool holdsStore = false;
    walk({n}, [&](const Node &inner, const std::vector<NodeRef> &) {
      holdsStore |= stores(inner);
    });
    if (!stores(*n))
      return holdsStore ? std::nullopt : std::optional<Body>(Body());
    auto update = std::make_shared<Statement>(*cast<Statement>(n.get()));
    const Operand sum = *sumIn(*update, split);
    update->op = operationOf(*split.loop, sum.access.array);
    update->text = "$0";
    update->operands = {sum};
    return Body{update};
  });
}

/// What \p node, which is or holds the loop over threads or blocks \p loop,
/// runs in one iteration of it.
static Body inOneIteration(const NodeRef &node, const Loop &loop) {
  return rewrite({node}, [&](const NodeRef &n) -> std::optional<Body> {
    if (n.get() != &loop)
      return std::nullopt;
    auto inside = std::make_shared<Guard>(loop.range);
    inside->conditions = isBlock(loop.kind) ? partialConstraints(loop)
                                            : decltype(inside->conditions)();
    inside->body = loop.body;
    return inside->conditions.empty() ? loop.body : Body{inside};
  });
}

std::array<SplitKernel, 2> atomicKernels(const CheckedNest &whole,
                                         const Mapping &m) {
  const Nest &nest = whole.nest();
  const Loop &loop = *m.split->loop;
  const auto [before, at, after] = aroundSplit(*m.thread, loop);
  Nest first = nest, sums = nest;
  first.minBlocks = 0;
  Body thread = before;
  append_range(thread, after);
  first.body = ofSums(first, m, loop, whole.dependences(), std::move(thread));
  thread = beginningAnew(before, nest, *m.split);
  append_range(thread, inOneIteration(at, loop));
  append_range(thread, updatesIn(after, *m.split));
  auto around = std::make_shared<Loop>(loop);
  if (m.split->isOverBlocks()) {
    sums.body = mapped(nest, m, std::move(thread), {around});
  } else {
    around->upper = {{IndexExpr(*constantUpper(nest, loop))}};
    around->body = std::move(thread);
    sums.body = mapped(nest, m, {around}, {});
  }
  dropUnusedBuffers(first);
  dropUnusedBuffers(sums);
  return {SplitKernel{std::move(first), "_first"},
          SplitKernel{std::move(sums), "_sums"}};
}

} // namespace convopt::lower
