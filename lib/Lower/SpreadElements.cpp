//===- SpreadElements.cpp - Sums of a thread to threads -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "SplitSums.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

namespace {

/// Loops of which each but the last holds the next and nothing else.
struct Chain {
  std::vector<const Loop *> loops;
  Body body; // of the last
};

} // namespace

/// The chain that begins with \p node and ends with statements alone; none
/// where something else stands there.
static std::optional<Chain> chainOf(const NodeRef &node) {
  Chain chain{{}, {node}};
  while (chain.body.size() == 1) {
    const auto *l = dyn_cast<Loop>(chain.body.front().get());
    if (!l || (l->kind != LoopKind::Serial && l->kind != LoopKind::Unrolled))
      break;
    chain.loops.push_back(l);
    chain.body = l->body;
  }
  bool isPlain = true;
  walk(chain.body, [&](const Node &n, const std::vector<NodeRef> &) {
    isPlain &= isa<Statement>(n) || isa<Guard>(n);
  });
  return isPlain ? std::optional(std::move(chain)) : std::nullopt;
}

/// Whether \p s, in the loops of the statement \p first that sets the sum, is
/// of the same element and of no other iteration.
static bool isOfElement(const Statement &s, const Statement &first,
                        unsigned dims) {
  for (auto [iterator, value] : zip_equal(s.iterators, s.instance)) {
    const auto at = find(first.iterators, iterator);
    if (at != first.iterators.end() &&
        first.instance[at - first.iterators.begin()] != value)
      return false;
  }
  auto isSame = [&](const Access &a) {
    return a.array != first.target.array ||
           std::equal(a.subscripts.begin(), a.subscripts.begin() + dims,
                      first.target.subscripts.begin());
  };
  return is_contained(s.iterators, first.iterators.back()) &&
         all_of(accessesOf(s), [&](const Access *a) { return isSame(*a); });
}

/// \p body without the dimensions that a pass added to the array \p sum.
static Body withoutDims(const Body &body, unsigned sum, unsigned dims) {
  return rewriteEach<Statement>(
      body, [&](const Statement *s) -> std::optional<Body> {
        return Body{mapAccesses(*s, [&](Access &a) {
          if (a.array == sum)
            a.subscripts.erase(a.subscripts.begin(),
                               a.subscripts.begin() + dims);
        })};
      });
}

std::vector<std::shared_ptr<Loop>>
spreadElements(Nest &nest, unsigned sum, const Loop &round,
               const DependenceAnalysis &dependences, Body &thread) {
  std::optional<Chain> first;
  const Statement *setter = nullptr;
  const unsigned dims = nest.arrays[sum].expandedDims;
  NodeRef local;
  Body spread;
  for (const NodeRef &n : thread) {
    if (isa<Local>(n.get())) {
      if (local || cast<Local>(*n).array != sum)
        return {};
      local = n;
      continue;
    }
    // The loop over parts stands around the loops over elements.
    const bool isRound = n.get() == &round;
    std::optional<Chain> chain = chainOf(isRound ? round.body.front() : n);
    if (!chain)
      return {};
    if (!first) {
      setter = chain->body.size() == 1
                   ? dyn_cast<Statement>(chain->body.front().get())
                   : nullptr;
      if (!setter || setter->target.array != sum || setter->iterators.empty() ||
          chain->loops.empty() || !all_of(setter->iterators, [&](unsigned i) {
            return dependences.isParallel(i);
          }))
        return {};
      first = chain;
    }
    if (chain->loops.size() != first->loops.size())
      return {};
    auto ofFirst = [&](Var v) -> std::optional<IndexExpr> {
      for (auto [mine, its] : zip_equal(chain->loops, first->loops))
        if (v == loopVar(mine->id))
          return IndexExpr::loop(its->id);
      return std::nullopt;
    };
    for (auto [mine, its] : zip_equal(chain->loops, first->loops)) {
      std::vector<Constraint> conditions = partialConstraints(*mine);
      for (Constraint &c : conditions)
        c.expr = c.expr.substitute(ofFirst);
      if (!constantUpper(nest, *mine) || !mine->lower[0].expr.isZero() ||
          constantUpper(nest, *mine) != constantUpper(nest, *its) ||
          conditions != partialConstraints(*its))
        return {};
    }
    Body body = substituteLoops(nest, chain->body, ofFirst);
    if (any_of(collect<Statement>(body), [&](const Statement *s) {
          return !isOfElement(*s, *setter, dims);
        }))
      return {};
    body = withoutDims(body, sum, dims);
    if (isRound)
      body = {withBody(round, std::move(body))};
    append_range(spread, body);
  }
  if (!local || !first)
    return {};
  spread.insert(spread.begin(), local);
  std::vector<std::shared_ptr<Loop>> loops;
  auto inside = std::make_shared<Guard>();
  for (const Loop *l : first->loops) {
    append_range(inside->conditions, partialConstraints(*l));
    auto ofGrid = std::make_shared<Loop>(*l);
    ofGrid->kind = LoopKind::GridX;
    ofGrid->lower = {{IndexExpr(0)}};
    ofGrid->upper = {{IndexExpr(*constantUpper(nest, *l))}};
    loops.push_back(std::move(ofGrid));
  }
  inside->body = std::move(spread);
  thread = inside->conditions.empty() ? inside->body : Body{inside};
  Array &array = nest.arrays[sum];
  array.extents.erase(array.extents.begin(), array.extents.begin() + dims);
  array.expandedDims = 0;
  return loops;
}

} // namespace convopt::lower
