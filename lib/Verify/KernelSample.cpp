//===- KernelSample.cpp - What sizes make a kernel do ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSample.h"
#include "ShapeCheck.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt::verify {

/// More than that takes too long to run.
constexpr int64_t mostIterations = 2048;
/// Of a loop that no tile divides, more than what is unrolled takes.
constexpr int64_t manyIterations = 11;

KernelSample::KernelSample(const LaunchedKernel &kernel, const Gpu &gpu)
    : kernel(kernel), gpu(gpu), aligned(alignmentOf(kernel.nest)),
      branches(kernel.program) {
  for (const Loop *l : loops(nest()))
    readLoop(*l);
  readTiles();
}

/// The most boxes that a buffer filled in \p l holds at once.
static int64_t depthIn(const Nest &nest, const Loop &l) {
  int64_t depth = 1;
  for (const Copy *copy : collect<Copy>(l.body))
    depth = std::max(depth, nest.arrays[copy->buffer].buffer->layout.depth);
  return depth;
}

/// Whether it has the iterations of a loop of the source, as many as sizes say.
static bool isOneOfSource(const Loop &l) {
  return all_of(l.upper, [](const Bound &b) {
    return b.divisor == 1 && !b.expr.asConstant();
  });
}

void KernelSample::readLoop(const Loop &l) {
  const Values layout(nest());
  Strip strip{l.id, layout.slot(loopVar(l.id)),
              isBlock(l.kind) || l.kind == LoopKind::Unrolled ||
                  l.kind == LoopKind::Vector,
              isGrid(l.kind) && !isOneOfSource(l),
              isParallel(l.kind) ? 1 : depthIn(nest(), l)};
  auto read = [&](ArrayRef<Bound> from, std::vector<Limit> &to) {
    for (const Bound &b : from)
      to.push_back(
          {FlatExpr(nest(), b.expr, layout), b.divisor, b.expr.asConstant()});
  };
  read(l.lower, strip.lower);
  read(l.upper, strip.upper);
  if (!strip.isTile)
    aimAt(l, strip.depth);
  strip.isPlain = !isParallel(l.kind) && !strip.isTile && isOneOfSource(l);
  if (strip.isPlain)
    for (const StatementPath &path : statements(nest()))
      for (const auto &[k, e] : enumerate(path.statement->instance))
        if (e.uses(loopVar(l.id)))
          longer.insert({path.statement->iterators[k], manyIterations});
  strips.push_back(std::move(strip));
}

/// Bounds over sizes alone: a strip within another has the outer one's.
void KernelSample::aimAt(const Loop &l, int64_t depth) {
  for (const Bound &b : l.upper) {
    if (b.divisor < 2 || b.expr.usesLoops() ||
        depth * b.divisor >= mostIterations)
      continue;
    if (isGrid(l.kind))
      ofBlock.push_back({nest().expandDefinitions(b.expr), b.divisor});
    for (const StatementPath &path : statements(nest()))
      for (const auto &[k, e] : enumerate(path.statement->instance))
        if (e.uses(loopVar(l.id)))
          aims.insert({path.statement->iterators[k], depth * b.divisor + 1});
  }
}

void KernelSample::readTiles() {
  for (const StatementPath &path : statements(nest()))
    for (const auto &[k, e] : enumerate(path.statement->instance)) {
      int64_t tile = 1;
      for (const Loop *l : select<Loop>(path.enclosing))
        if (l->kind == LoopKind::Unrolled && e.uses(loopVar(l->id)))
          tile *= constantUpper(nest(), *l).value_or(1);
      int64_t &most = ofThread[path.statement->iterators[k]];
      most = std::max(most, tile);
    }
}

std::optional<KernelLaunch> KernelSample::launchFor(const Shape &shape) const {
  std::vector<int64_t> values;
  for (const std::optional<int64_t> &value : paramValues(nest(), shape))
    values.push_back(value.value_or(0));
  return expectedToOptional(launchOf(nest(), gpu, LowerOptions(), values,
                                     templateArguments(nest(), shape)));
}

bool KernelSample::hasRoom(const Shape &shape) const {
  if (hasConstantBuffers(nest()))
    return true;
  const std::optional<KernelLaunch> launch = launchFor(shape);
  return launch && launch->dynamicSharedBytes <= gpu.sharedPerBlockOptIn;
}

/// One comparison of a branch, as features have it.
static int64_t whichDecision(unsigned branch, int64_t conjunct) {
  return int64_t(branch) << 32 | conjunct << 1;
}

StringMap<int64_t> KernelSample::sizesByName(const Shape &shape,
                                             bool isAligned) const {
  StringMap<int64_t> sizes;
  for (const auto &[p, value] : zip(nest().params, paramValues(nest(), shape)))
    if (value)
      sizes[p.name] = *value;
  sizes["Aligned"] = isAligned;
  return sizes;
}

void KernelSample::addBranches(const Shape &shape, int64_t instance,
                               Features &seen) const {
  if (!branches.branches())
    return;
  const std::optional<KernelLaunch> launch = launchFor(shape);
  if (!launch)
    return;
  branches.walk(sizesByName(shape, instance % 2), launch->grid,
                [&](unsigned branch, bool isOfLoops, BranchSample::How how,
                    int64_t conjunct) {
                  const int64_t which = whichDecision(branch, conjunct);
                  switch (how) {
                  case BranchSample::Fails:
                  case BranchSample::Holds:
                    seen.insert(feature(isOfLoops ? Seen::Branch : Seen::Way,
                                        instance, 2 * int64_t(branch) + how));
                    break;
                  case BranchSample::FailsFirst:
                    seen.insert(feature(Seen::First, instance / 2, which));
                    break;
                  case BranchSample::FailsAlone:
                    seen.insert(feature(Seen::Alone, instance / 2, which));
                    break;
                  case BranchSample::FailsByLeast:
                    if (isOfLoops)
                      seen.insert(feature(Seen::Border, instance / 2, which));
                    [[fallthrough]];
                  case BranchSample::HoldsByLeast:
                    seen.insert(
                        feature(Seen::Edge, instance / 2,
                                which | (how == BranchSample::HoldsByLeast)));
                    break;
                  }
                });
}

Features KernelSample::decisions(int64_t k) const {
  Features all;
  for (const auto &[branch, conjunct] : branches.decisions())
    all.insert(feature(Seen::Alone, k, whichDecision(branch, conjunct)));
  return all;
}

std::map<Feature, int64_t> KernelSample::distances(const Shape &shape,
                                                   int64_t k) const {
  std::map<Feature, int64_t> all;
  const std::optional<KernelLaunch> launch =
      takes(shape) ? launchFor(shape) : std::nullopt;
  if (launch)
    for (const auto &[decision, distance] : branches.distances(
             sizesByName(shape, /*isAligned=*/false), launch->grid))
      all[feature(Seen::Border, k,
                  whichDecision(decision.first, decision.second))] = distance;
  return all;
}

bool KernelSample::refuses(const Shape &shape) const {
  const auto values = paramValues(nest(), shape);
  auto fails = [&](const Assumption &a) {
    return !a.spanned && evaluate(a.fact.expr, values) &&
           !holds(a.fact, values);
  };
  return any_of(kernel.facts, fails) || any_of(nest().assumptions, fails) ||
         !hasRoom(shape);
}

bool KernelSample::takes(const Shape &shape) const {
  const auto values = paramValues(nest(), shape);
  auto isTrue = [&](const Assumption &a) {
    return a.spanned || holds(a.fact, values);
  };
  return all_of(kernel.facts, isTrue) && all_of(nest().assumptions, isTrue) &&
         hasRoom(shape);
}

/// Of each loop the iteration at \p place: windows are clipped at the ends.
void KernelSample::walk(Place place, int64_t instance, Values values,
                        Features &seen) const {
  auto see = [&](unsigned loop, KernelLoop how) {
    // Whole blocks are the same to both instances.
    const int64_t of = how == KernelLoop::Whole ? instance / 2 * 2 : instance;
    seen.insert(feature(Seen::KernelLoop, of,
                        (int64_t(loop) << 8) | static_cast<int64_t>(how)));
  };
  for (const Strip &s : strips) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    std::optional<int64_t> most; // of a whole tile
    for (const Limit &l : s.lower)
      if (auto v = l.expr.evaluate(values))
        low = std::max(low, divideCeil(*v, l.divisor));
    bool isWhole = false; // as many iterations as all blocks have
    for (const Limit &l : s.upper) {
      if (auto v = l.expr.evaluate(values);
          v && divideCeil(*v, l.divisor) < high) {
        high = divideCeil(*v, l.divisor);
        isWhole = l.divisor > 1 && *v % l.divisor == 0;
      }
      if (l.constant && s.upper.size() > 1)
        most = l.constant;
    }
    if (low == INT64_MIN || high == INT64_MAX || high <= low)
      return;
    values.set(s.slot, place == Place::First    ? low
                       : place == Place::Middle ? low + (high - low) / 2
                                                : high - 1);
    if (most)
      see(s.loop, high >= *most ? KernelLoop::Full : KernelLoop::Partial);
    if (s.isTile)
      continue;
    if (high - low > 1)
      see(s.loop, !s.ofBlocks ? KernelLoop::Second
                  : isWhole   ? KernelLoop::Whole
                              : KernelLoop::Blocks);
    if (s.depth > 1 && high - low > s.depth)
      see(s.loop, KernelLoop::Wraps);
    if (s.isPlain && high - low >= manyIterations)
      see(s.loop, KernelLoop::Long);
  }
}

void KernelSample::addFeatures(const Shape &shape, int64_t k,
                               Features &seen) const {
  const auto sizes = paramValues(nest(), shape);
  const bool isAligned =
      all_of(aligned, [&](const Constraint &c) { return holds(c, sizes); });
  const int64_t instance = 2 * k + isAligned;
  seen.insert(feature(Seen::Kernel, k));
  seen.insert(feature(Seen::Instance, instance));
  Values values(nest());
  for (size_t p = 0; p != sizes.size(); ++p)
    if (!nest().params[p].definition)
      values.set(p, sizes[p]);
  for (Place place : {Place::First, Place::Middle, Place::Last})
    walk(place, instance, values, seen);
  addBranches(shape, instance, seen);
}

} // namespace convopt::verify
