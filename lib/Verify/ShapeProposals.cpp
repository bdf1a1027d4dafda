//===- ShapeProposals.cpp - Shapes and what each shows --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeProposals.h"
#include "ShapeCheck.h"
#include "convopt/Nest/Facts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace convopt::verify {

//===----------------------------------------------------------------------===//
// What is wanted
//===----------------------------------------------------------------------===//

/// One shape: nothing is left to be drawn.
static Wanted exactly(int64_t column, int64_t row, int64_t filter,
                      int64_t inChannels, int64_t outChannels, int64_t step) {
  return {{column},      {row},  {filter}, {inChannels},
          {outChannels}, {step}, {1},      {column == 1 ? 1 : 26}};
}

static std::vector<Wanted> known() {
  return {
      exactly(37, 23, 3, 3, 5, 1), // nothing that a tile divides
      exactly(1, 1, 5, 2, 3, 1),   // 1x1 output, a filter as large as the image
      exactly(19, 13, 3, 1, 1, 1), // one input and one output channel
      exactly(33, 17, 3, 2, 9, 1), // one more than a tile
      exactly(64, 16, 1, 4, 8, 1), // whole tiles, a 1x1 filter
      exactly(21, 10, 4, 2, 3, 2), // an even filter, a step of two
  };
}

/// What is drawn from.
static Wanted anything() {
  return {{2, 9, 17, 21, 33, 37, 65},
          {1, 3, 7, 10, 17, 23},
          {2, 3, 4, 5},
          {1, 2, 3, 4},
          {1, 2, 3, 5, 9},
          {1, 2, 3},
          {0, 1, 2, 3},
          {1, 4, 7, 11, 18, 26, 39}};
}

/// What leaves room for one loop that is long.
static Wanted small() {
  return {{2, 5, 9, 17}, {1, 3, 7}, {2, 3}, {1, 2, 3},
          {1, 2, 3},     {1, 2},    {0, 1}, {4, 7, 11, 18}};
}

//===----------------------------------------------------------------------===//
// What a shape shows
//===----------------------------------------------------------------------===//

void Proposer::addSizes(const Shape &shape, Features &features) const {
  for (auto a = shape.sizes.begin(); a != shape.sizes.end(); ++a) {
    const int64_t index = std::distance(shape.sizes.begin(), a);
    features.insert(
        feature(Seen::Size, index, std::min<int64_t>(a->second, 3)));
    for (auto b = shape.sizes.begin(); b != a; ++b)
      if (a->second != b->second)
        features.insert(
            feature(Seen::Apart, index, std::distance(shape.sizes.begin(), b)));
  }
}

void Proposer::addAssumptions(const Values &values, Features &features) const {
  for (const auto &[k, a] : enumerate(nest.assumptions)) {
    const FlatExpr fact(nest, a.fact.expr, values);
    if (auto value = fact.evaluate(values))
      features.insert(
          feature(Seen::Tight, k, std::clamp<int64_t>(*value, -1, 1)));
  }
}

/// One window of several elements, and outputs in whole tiles.
void Proposer::addTrips(Features &features) const {
  auto runs = [&](unsigned loop, int64_t how) {
    return features.count(feature(Seen::Trips, loop, how)) != 0;
  };
  if (all_of(byUse.window, [&](unsigned l) {
        return runs(l, 1) == (byUse.parallel.count(l) != 0);
      }))
    features.insert(feature(Seen::Single));
  if (none_of(byUse.parallel, [&](unsigned l) { return runs(l, 5); }))
    features.insert(feature(Seen::Whole));
}

/// What each way of the branches of kernel \p k is wanted with.
void Proposer::addWays(size_t k, const Values &values,
                       Features &features) const {
  constexpr auto wraps = static_cast<int64_t>(KernelLoop::Wraps);
  auto isOf = [&](const Feature &f, Seen kind) {
    return f[0] == static_cast<int64_t>(kind) && f[1] / 2 == int64_t(k);
  };
  const Features seen = features;
  for (const Feature &way : seen) {
    if (!isOf(way, Seen::Branch))
      continue;
    for (unsigned step : steps.stepParams())
      if (values.at(step) > 1)
        features.insert(feature(Seen::Stepped, k, way[2] << 32 | step));
    for (const Feature &f : seen)
      if (isOf(f, Seen::KernelLoop) && (f[2] & 0xFF) == wraps)
        features.insert(feature(Seen::Repeated, k, way[2] << 32 | f[2] >> 8));
  }
}

/// Versions are run by themselves wherever they can be, the general kernel
/// where none of them takes the sizes.
void Proposer::addKernels(const Shape &shape, const Values &values,
                          Features &features) const {
  const Features ofNest = features;
  bool isTaken = false;
  for (const auto &[k, kernel] : enumerate(kernels)) {
    const bool isGeneral = k + 1 == kernels.size();
    if (isGeneral ? isTaken : !kernel.takes(shape))
      continue;
    isTaken = true;
    kernel.addFeatures(shape, k, features);
    addWays(k, values, features);
    for (const Feature &f : ofNest)
      if (f[0] <= static_cast<int64_t>(Seen::Fails))
        features.insert(feature(Seen::InKernel, k, f[0] << 32 | f[1]));
  }
}

Features Proposer::featuresOf(const Shape &shape, const Values &values) const {
  Features features;
  sample.walk(values, features);
  addSizes(shape, features);
  addAssumptions(values, features);
  addTrips(features);
  addKernels(shape, values, features);
  return features;
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

Proposer::Pool::Pool(const Nest &original, ArrayRef<Assumption> facts)
    : nest(withAssumptions(original, facts)), chooser(nest) {}

Proposer::Proposer(const Nest &nest, ArrayRef<LaunchedKernel> kernels,
                   const Gpu &gpu)
    : nest(nest), sample(nest), steps(nest), byUse(loopsByUse(nest)) {
  for (const LaunchedKernel &k : kernels)
    this->kernels.emplace_back(k, gpu);
}

bool Proposer::isKnown(const Shape &shape) const {
  return any_of(
      all, [&](const Proposal &p) { return p.shape.sizes == shape.sizes; });
}

void Proposer::propose(Pool &pool, const Wanted &wanted, double limit) {
  std::optional<Shape> chosen = pool.chooser.choose(wanted);
  if (!chosen)
    return;
  const Shape &shape = *chosen;
  const Values &values = pool.chooser.values();
  auto isSame = [&](const Proposal &p) { return p.shape.sizes == shape.sizes; };
  if (isKnown(shape) || any_of(pool.found, isSame))
    return;
  const double operations = countOperations(nest, shape);
  const bool isCheapest = all_of(
      pool.found, [&](const Proposal &p) { return operations < p.operations; });
  if (operations > limit && !isCheapest)
    return;
  Proposal p{shape, values, operations, featuresOf(shape, values)};
  // Where nothing runs, nothing is seen.
  if (none_of(p.features, [](const Feature &f) {
        return f[0] == static_cast<int64_t>(Seen::Stores);
      }))
    return;
  if (isCheapest && !pool.found.empty() &&
      pool.found.back().operations > mostOperations)
    pool.found.clear();
  pool.found.push_back(std::move(p));
}

/// Of those whose guards' sizes no caller has, none stays where there are
/// others; what costs too much to find out is taken for it.
void Proposer::close(Pool &pool) {
  std::vector<Proposal> kept;
  for (const Proposal &p : pool.found)
    if (p.operations > mostOfTiles || sample.isSnug(p.values))
      kept.push_back(p);
  append_range(all, kept.empty() ? pool.found : kept);
}

//===----------------------------------------------------------------------===//
// What is proposed
//===----------------------------------------------------------------------===//

/// How many shapes are drawn for all kernels together, and for each.
constexpr unsigned generalDraws = 160, tileDraws = 24, ownDraws = 40;
/// Draws after which facts are taken to allow no sizes that these find.
constexpr unsigned mostInVain = 8;

void Proposer::proposeForNest() {
  Pool pool(nest, {});
  for (const Wanted &wanted : known())
    propose(pool, wanted);
  const Wanted wanted = anything();
  for (unsigned k = 0; k != generalDraws; ++k)
    propose(pool, wanted);
  close(pool);
}

/// Threads of \p kernel with whole tiles and some to each side, and second
/// blocks and second copies, each alone, then together.
void Proposer::proposeAims(Pool &pool, const KernelSample &kernel) {
  for (const auto &[loop, iterations] : kernel.seconds()) {
    Wanted wanted = small();
    wanted.aims[loop] = iterations;
    propose(pool, wanted);
  }
  for (unsigned k = 0; k != tileDraws; ++k) {
    // Between padding on both sides, or with little but the tile.
    const bool isPadded = k % 2;
    Wanted wanted = small();
    for (const auto &[loop, tile] : kernel.tiles())
      wanted.aims[loop] = isPadded ? tile * pool.chooser.draw({1, 2, 2}) +
                                         pool.chooser.draw({0, 3, 5})
                                   : tile + pool.chooser.draw({0, 0, 1});
    if (!isPadded) {
      wanted.padding = {0};
      wanted.step = {1};
      wanted.rest = {18, 26, 39};
    }
    // Every other one with copies that come round again.
    if (k / 2 % 2)
      for (const auto &[loop, iterations] : kernel.seconds())
        if (auto tile = kernel.tiles().find(loop);
            tile == kernel.tiles().end() || tile->second == 1)
          wanted.aims[loop] = iterations;
    propose(pool, wanted, mostOfTiles);
  }
  for (unsigned k = 0; k != ownDraws; ++k) {
    if (k == mostInVain && pool.found.empty())
      return;
    Wanted wanted = k % 2 ? small() : anything();
    for (const auto &[loop, iterations] : kernel.seconds())
      if (pool.chooser.draw({0, 1, 2}) == 0)
        wanted.aims[loop] = iterations;
    propose(pool, wanted);
  }
}

/// Of sizes of which \p facts hold, with rows of whole vectors and with others.
void Proposer::proposeFor(const KernelSample &kernel,
                          std::vector<Assumption> facts) {
  Pool pool(nest, facts);
  propose(pool, known().front());
  proposeAims(pool, kernel);
  close(pool);
  if (kernel.alignment().empty())
    return;
  for (const Constraint &c : kernel.alignment())
    facts.push_back({c, "rows of whole vectors"});
  Pool aligned(nest, facts);
  proposeAims(aligned, kernel);
  close(aligned);
}

/// A fact by which \p fact does not hold; of an equation, with more of its
/// first size than it gives, or with less.
static Assumption negated(const Assumption &fact, bool isMore) {
  IndexExpr e = fact.fact.expr;
  const std::set<Var> vars = e.vars();
  const bool grows = !vars.empty() && e.coefficient(*vars.begin()) > 0;
  if (fact.fact.kind == Constraint::NonNegative || grows != isMore)
    e = IndexExpr(-1) * e;
  return {{Constraint::NonNegative, e - IndexExpr(1)}, "no other kernel's"};
}

/// Sizes for which none of the kernels before the general one is.
void Proposer::proposeForGeneral(bool isMore) {
  const KernelSample &general = kernels.back();
  std::vector<Assumption> facts = general.facts();
  for (const KernelSample &version : ArrayRef(kernels).drop_back()) {
    auto own = find_if(version.facts(), [&](const Assumption &a) {
      return none_of(general.facts(),
                     [&](const Assumption &b) { return a.fact == b.fact; });
    });
    if (own == version.facts().end())
      return;
    facts.push_back(negated(*own, isMore));
  }
  proposeFor(general, facts);
}

/// Sizes at which less of an array is touched than it spans, and which the
/// general kernel takes, as it copies nothing of it.
void Proposer::proposeLittleTouched() {
  constexpr unsigned draws = 8;
  Nest open = nest;
  erase_if(open.assumptions, [](const Assumption &a) { return a.spanned; });
  for (const Assumption &a : nest.assumptions)
    if (a.spanned) {
      Pool pool(open, negated(a, /*isMore=*/true));
      for (unsigned k = 0; k != draws; ++k)
        propose(pool, small());
      close(pool);
    }
}

bool Proposer::isReached(size_t kernel) const {
  return any_of(all, [&](const Proposal &p) {
    return p.features.count(feature(Seen::Kernel, kernel));
  });
}

/// For which a block has no room.
void Proposer::proposeLargeFilters() {
  Pool pool(nest, {});
  for (int64_t width : {61, 127, 251})
    propose(pool, exactly(1, 1, width, 1, 1, 1));
  // Whole tiles of what is left: rows and columns may share a size.
  int64_t most = 1;
  for (const auto &[loop, tile] : kernels.back().tiles())
    most = std::max(most, tile);
  Wanted tiles = exactly(most, most, 61, 1, most, 1);
  propose(pool, tiles, mostOfTiles);
  close(pool);
}

std::vector<Proposal> Proposer::proposals() {
  proposeForNest();
  if (kernels.empty())
    return std::move(all);
  for (const KernelSample &version : ArrayRef(kernels).drop_back())
    proposeFor(version, version.facts());
  proposeForGeneral(/*isMore=*/true);
  if (kernels.size() > 1)
    proposeForGeneral(/*isMore=*/false);
  if (!isReached(kernels.size() - 1))
    proposeLargeFilters();
  proposeLittleTouched();
  return std::move(all);
}

} // namespace convopt::verify
