//===- KernelSplit.cpp - Sums that threads of a block share ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   float sum = 0;                        // in each thread
//   for (int c_o = 0; c_o < 16; ++c_o)
//     sum += x[4 * c_o + threadIdx.z];
//   for (unsigned part = 1; part < 4; ++part) {
//     if (threadIdx.z == part)
//       sum_parts[threadIdx.x] = sum;
//     __syncthreads();
//     if (threadIdx.z == 0)
//       sum += sum_parts[threadIdx.x];
//     __syncthreads();
//   }
//   if (threadIdx.z == 0)
//     y = sum;
//
// Parts are added up in the order of the loop, one at a time, so that results
// are the same in each run, and the buffer holds those of one thread of them.
//
// Threads that are lanes of one warp exchange their parts, those of neighbours
// first. There is no buffer and no barrier, and all of them have the sum:
//
//   sum += __shfl_xor_sync(0xffffffffu, sum, 8);  // of 8 x 1 x 4 threads
//   sum += __shfl_xor_sync(0xffffffffu, sum, 16); // (0 + 1) + (2 + 3)
//
// Threads without an output take part. A lane adds what the others of its sum
// have, which have no output either.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "ThreadPartition.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Target/Shuffle.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

/// Of the dimensions of a block, that of the split sums' loop.
static unsigned dimensionOf(const Split &split) {
  return dimensionOf(split.loop->kind);
}

/// Whether \p sum, which threads share by \p mapping, is that of lanes of a
/// warp.
static bool isOfLanes(const Nest &nest, const Mapping &mapping, unsigned sum) {
  return areLanesOfWarp(mapping.blockDim, dimensionOf(*mapping.split)) &&
         hasShuffle(nest.arrays[sum].elementType);
}

static std::vector<unsigned> otherDimensions(const Split &split) {
  std::vector<unsigned> others{0, 1, 2};
  erase(others, dimensionOf(split));
  return others;
}

Nest withPartsOfSums(const Nest &nest, const Mapping &mapping) {
  if (!mapping.split || mapping.takesKernels())
    return nest;
  Nest result = nest;
  auto withParts = [&](const NodeRef &n) -> std::optional<Body> {
    const auto *local = dyn_cast<Local>(n.get());
    if (!local || !is_contained(mapping.split->sums, local->array) ||
        isOfLanes(nest, mapping, local->array))
      return std::nullopt;
    Array parts = nest.arrays[local->array];
    parts.name += "_parts";
    parts.extents.push_back(
        threadCount(mapping, otherDimensions(*mapping.split)));
    parts.expandedDims = 0;
    parts.buffer = Buffer{local->array, Buffer::Shared};
    result.arrays.push_back(std::move(parts));
    return Body{std::make_shared<Local>(result.arrays.size() - 1, n->range), n};
  };
  result.body = rewrite(nest.body, withParts);
  return result;
}

bool KernelBody::isSplit(const Loop &l) const {
  return mapping.split && mapping.split->loop->id == l.id;
}

bool KernelBody::isSplit(unsigned array) const {
  return mapping.split && is_contained(mapping.split->sums, array);
}

bool KernelBody::declaresSplitSum(const Body &body) const {
  return any_of(collect<Local>(body),
                [&](const Local *local) { return isSplit(local->array); });
}

/// The buffer of the parts of \p sum.
static unsigned partsOfSum(const Nest &nest, unsigned sum) {
  for (unsigned k = 0; k != nest.arrays.size(); ++k)
    if (const auto &b = nest.arrays[k].buffer; b && b->of == sum)
      return k;
  llvm_unreachable("withPartsOfSums made it");
}

Expr KernelBody::resultTest() const {
  return both(
      inside ? Expr(inside) : Expr(),
      Expr::binary(Op::Equal, threadIndex(dimensionOf(*mapping.split)), 0));
}

bool KernelBody::isOfFirst(const Node &node) const {
  if (!mapping.split)
    return false;
  bool isOfFirst = false, isShared = false;
  walkFrom(node, [&](const Node &n) {
    if (const auto *l = dyn_cast<Loop>(&n))
      isShared |= isSplit(*l);
    if (const auto *c = dyn_cast<Copy>(&n))
      isOfFirst |= c->isStore;
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    isOfFirst |= !nest.arrays[st->target.array].isLocal() ||
                 (isSplit(st->target.array) && !st->isReduction() &&
                  startsAnew(st->target.array)) ||
                 any_of(readsOf(*st), [&](const Operand &o) {
                   return isSplit(o.access.array);
                 });
  });
  return isOfFirst && !isShared;
}

Expr KernelBody::outputTest(const Node &n) const {
  return isOfFirst(n) ? resultTest() : inside ? Expr(inside) : Expr();
}

bool KernelBody::startsAnew(unsigned sum) const {
  const Statement::Op op = operationOf(*mapping.split->loop, sum);
  return any_of(statements(nest), [&](const StatementPath &p) {
    const Statement &st = *p.statement;
    return st.target.array == sum && !st.isReduction() &&
           !mayBeginEach(nest, st, op);
  });
}

void KernelBody::lowerNeutral(unsigned sum, Scope &s) {
  const Array &a = nest.arrays[sum];
  std::vector<Expr> at;
  Block *block = openElements(a.extents, s, *s.block, at);
  program::add<Assignment>(
      *block, Expr::element(variableOf(sum), at),
      Expr::source(
          neutralOf(operationOf(*mapping.split->loop, sum), a.elementType),
          Type{Type::Element, a.elementType}));
}

/// Opens loops over elements of a sum with \p extents in \p block; \p at gets
/// their counters.
Block *KernelBody::openElements(ArrayRef<IndexExpr> extents, const Scope &s,
                                Block &outer, std::vector<Expr> &at) const {
  Names names = s.names;
  Block *block = &outer;
  for (const IndexExpr &extent : extents) {
    const auto counter =
        std::make_shared<Variable>(Variable{names.fresh("k"), Type::integer()});
    auto &loop = program::add<For>(*block, counter, 0, root.value(extent));
    loop.unroll = For::Always; // they are indices of registers
    block = &loop.body;
    at.push_back(Expr(counter));
  }
  return block;
}

void KernelBody::lowerSplit(const Loop &l, Scope &s) {
  const std::vector<Constraint> partial =
      unsettled(l, partialConstraints(l), s);
  Scope inner =
      partial.empty() ? s : s.in(s.add<If>(comparison(partial, s)).body);
  lowerBody(l.body, inner);
}

void KernelBody::addUpParts(unsigned sum, Scope &s) {
  const Split &split = *mapping.split;
  const unsigned d = dimensionOf(split), buffer = partsOfSum(nest, sum);
  const Array &parts = nest.arrays[buffer];
  Names names = s.names;
  const auto round = std::make_shared<Variable>(
      Variable{names.fresh("part"), Type::unsignedInteger()});
  auto &rounds = s.add<For>(round, 1, mapping.blockDim[d]);
  rounds.unroll = For::Never;
  rounds.above = "the parts of the sum, one after the other";
  Scope inner = s.in(rounds.body);
  inner.names = std::move(names);

  /// Moves the part of the threads \p whose to the buffer, or adds it.
  auto move = [&](const Expr &whose, bool isAdded) {
    auto &test =
        inner.add<If>(both(inside ? Expr(inside) : Expr(),
                           Expr::binary(Op::Equal, threadIndex(d), whose)));
    std::vector<Expr> at, there;
    Block *block = openElements(nest.arrays[sum].extents, inner, test.body, at);
    for (size_t k = 0; k != at.size(); ++k)
      if (parts.extents[k] != IndexExpr(1))
        there.push_back(at[k]);
    if (Expr column = threadOf(mapping, otherDimensions(split)))
      there.push_back(column);
    const Expr mine = Expr::element(variableOf(sum), at),
               part = Expr::element(variableOf(buffer), there);
    if (isAdded)
      program::add<Assignment>(*block, mine, part,
                               updateOf(operationOf(*split.loop, sum)));
    else
      program::add<Assignment>(*block, part, mine);
  };
  move(Expr(round), /*isAdded=*/false);
  inner.call(Callee::SyncThreads);
  move(0, /*isAdded=*/true);
  inner.call(Callee::SyncThreads);
}

void KernelBody::addUpLanes(unsigned sum, Scope &s) {
  const Split &split = *mapping.split;
  const unsigned d = dimensionOf(split);
  std::vector<Expr> at;
  Block *block = openElements(nest.arrays[sum].extents, s, *s.block, at);
  const Expr mine = Expr::element(variableOf(sum), at);
  const int64_t apart = threadCount(mapping, to_vector(seq<unsigned>(d)));
  for (int64_t parts = 1; parts < mapping.blockDim[d]; parts *= 2) {
    auto &added = program::add<Assignment>(
        *block, mine, Expr::call({Callee::Exchange, ""}, {mine, parts * apart}),
        updateOf(operationOf(*split.loop, sum)));
    if (parts == 1)
      added.above = "the parts of the sum, which lanes of a warp exchange";
  }
}

void KernelBody::addUpAfter(size_t k, const Body &body, Scope &s) {
  if (!mapping.split || !holdsLoop(body[k], mapping.split->loop->id))
    return;
  for (unsigned sum : mapping.split->sums)
    if (s.isAgain || any_of(select<Local>(body), [&](const Local *local) {
          return local->array == sum;
        })) {
      if (isOfLanes(nest, mapping, sum))
        addUpLanes(sum, s);
      else
        addUpParts(sum, s);
    }
}

} // namespace convopt::lower
