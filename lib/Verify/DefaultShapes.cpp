//===- DefaultShapes.cpp - Sizes that exercise a nest ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Many shapes are proposed, some known to be of use and most of them drawn.
/// Each is tried on the nest itself: which statements run, which guards hold
/// and which fail, how often loops run (NestSample.h). Those are taken, one
/// after another, that show most of what no other has shown yet.
///
//===----------------------------------------------------------------------===//

#include "NestSample.h"
#include "ShapeCheck.h"
#include "ShapeChooser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace convopt {
namespace verify {

/// By how much to change \p v, of which the linear coefficient in a fact is
/// \p by, so that what is \p value and at least 0 falls below; small changes
/// where that says nothing.
static std::vector<int64_t> stepsAway(int64_t value, int64_t by) {
  std::vector<int64_t> steps{1, -1, 2, -2};
  if (by != 0)
    steps.push_back(by > 0 ? -value / by - 1 : value / -by + 1);
  return steps;
}

std::optional<Shape> violate(const Nest &nest, const Assumption &fact,
                             const Shape &shape) {
  const IndexExpr &e = fact.fact.expr;
  int64_t value = evaluate(e, paramValues(nest, shape)).value_or(0);
  for (Var v : e.vars())
    for (int64_t by : stepsAway(value, e.coefficient(v))) {
      Shape near = shape;
      const Param &p = nest.params[v.id];
      int64_t &size = near.sizes.at(p.name);
      size += by;
      auto now = evaluate(e, paramValues(nest, near));
      if (size >= (p.isTemplate ? 1 : 0) && now &&
          (fact.fact.kind == Constraint::Zero ? *now != 0 : *now < 0))
        return near;
    }
  return std::nullopt;
}

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

/// What is drawn from; \p tiles are those of the kernels.
static Wanted anything(const std::set<int64_t> &tiles) {
  Wanted w{{2, 9, 17, 21, 33, 37, 65},
           {1, 3, 7, 10, 17, 23},
           {2, 3, 4, 5},
           {1, 2, 3, 4},
           {1, 2, 3, 5, 9},
           {1, 2, 3},
           {0, 1, 2, 3},
           {1, 4, 7, 11, 18, 26, 39}};
  for (int64_t tile : tiles) {
    w.column.push_back(tile + 1);
    w.row.push_back(tile + 1);
    w.outChannels.push_back(tile + 1);
  }
  return w;
}

namespace {

/// A shape and what it shows.
struct Proposal {
  Shape shape;
  Values values;
  double operations;
  Features features;
};

class Proposer {
public:
  Proposer(const Nest &nest, ArrayRef<const Nest *> kernels);
  std::vector<Proposal> proposals();
  /// What costs too much to find out is taken for it.
  bool isSnug(const Proposal &p) const;

private:
  const Nest &nest;
  ArrayRef<const Nest *> kernels;
  NestSample sample;
  ShapeChooser chooser;
  std::vector<Proposal> found;

  std::set<int64_t> tiles() const;
  void propose(const Wanted &wanted);
  Features featuresOf(const Shape &shape) const;
  void addSizes(const Shape &shape, Features &features) const;
  void addAssumptions(Features &features) const;
  void addTrips(Features &features) const;
  void addBlocks(const Shape &shape, Features &features) const;
};

} // namespace

/// What one shape may cost, in statements. Constant sizes can make any cost
/// more; one is run whatever it costs.
constexpr double mostOperations = 3e5;
/// All shapes but the first, together.
constexpr double mostOfAll = 1.2e6;
constexpr size_t mostShapes = 8;
constexpr unsigned draws = 160;

Proposer::Proposer(const Nest &nest, ArrayRef<const Nest *> kernels)
    : nest(nest), kernels(kernels), sample(nest), chooser(nest) {}

/// How many iterations a block takes, for each loop of the kernels' grids.
std::set<int64_t> Proposer::tiles() const {
  std::set<int64_t> found;
  for (const Nest *kernel : kernels)
    for (const Loop *l : loops(*kernel))
      for (const Bound &b : l->upper)
        if (isGrid(l->kind) && b.divisor > 1 && b.divisor <= 512)
          found.insert(b.divisor);
  return found;
}

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

void Proposer::addAssumptions(Features &features) const {
  for (const auto &[k, a] : enumerate(nest.assumptions)) {
    const FlatExpr fact(nest, a.fact.expr, chooser.values());
    if (auto value = fact.evaluate(chooser.values()))
      features.insert(feature(Seen::Tight, k, std::min<int64_t>(*value, 1)));
  }
}

/// Outputs of one element, and in whole tiles.
void Proposer::addTrips(Features &features) const {
  auto runs = [&](const Loop *l, int64_t how) {
    return features.count(feature(Seen::Trips, l->id, how)) != 0;
  };
  if (all_of(chooser.parallelLoops(),
             [&](const Loop *l) { return runs(l, 1); }))
    features.insert(feature(Seen::Single));
  if (none_of(chooser.parallelLoops(),
              [&](const Loop *l) { return runs(l, 5); }))
    features.insert(feature(Seen::Whole));
}

void Proposer::addBlocks(const Shape &shape, Features &features) const {
  for (const auto &[k, kernel] : enumerate(kernels)) {
    const auto values = paramValues(*kernel, shape);
    for (const Loop *l : loops(*kernel))
      for (const Bound &b : l->upper)
        if (isGrid(l->kind))
          if (auto e = evaluate(kernel->expandDefinitions(b.expr), values))
            if (*e > b.divisor)
              features.insert(feature(Seen::Blocks, k, l->id));
  }
}

bool Proposer::isSnug(const Proposal &p) const {
  return p.operations > mostOperations || sample.isSnug(p.values);
}

Features Proposer::featuresOf(const Shape &shape) const {
  Features features;
  sample.walk(chooser.values(), features);
  addSizes(shape, features);
  addAssumptions(features);
  addTrips(features);
  addBlocks(shape, features);
  return features;
}

void Proposer::propose(const Wanted &wanted) {
  std::optional<Shape> shape = chooser.choose(wanted);
  if (!shape || any_of(found, [&](const Proposal &p) {
        return p.shape.sizes == shape->sizes;
      }))
    return;
  const double operations = countOperations(nest, *shape);
  const bool isCheapest = all_of(
      found, [&](const Proposal &p) { return operations < p.operations; });
  if (operations > mostOperations && !isCheapest)
    return;
  if (isCheapest && !found.empty() && found.back().operations > mostOperations)
    found.clear();
  found.push_back({*shape, chooser.values(), operations, featuresOf(*shape)});
}

std::vector<Proposal> Proposer::proposals() {
  for (const Wanted &wanted : known())
    propose(wanted);
  const Wanted wanted = anything(tiles());
  for (unsigned k = 0; k != draws; ++k)
    propose(wanted);
  return std::move(found);
}

/// What is the nest's own counts for more than sizes alone.
static int weightOf(const Feature &f) {
  switch (static_cast<Seen>(f[0])) {
  case Seen::Runs:
  case Seen::Holds:
  case Seen::Fails:
  case Seen::Blocks:
    return 8;
  case Seen::Trips:
  case Seen::Bounds:
  case Seen::Tight:
  case Seen::Single:
  case Seen::Whole:
    return 4;
  case Seen::Size:
    return 2;
  case Seen::Apart:
    return 1;
  }
  llvm_unreachable("every kind is above");
}

static int gainOf(const Proposal &p, const Features &seen) {
  int gain = 0;
  for (const Feature &f : p.features)
    gain += seen.count(f) ? 0 : weightOf(f);
  return gain;
}

} // namespace verify

std::vector<Shape> defaultShapes(const Nest &original,
                                 ArrayRef<const Nest *> kernels) {
  using namespace verify;
  Proposer proposer(original, kernels);
  std::vector<Proposal> proposals = proposer.proposals();
  const bool anySnug =
      any_of(proposals, [&](const Proposal &p) { return proposer.isSnug(p); });
  std::vector<Shape> shapes;
  Features seen;
  double operations = 0;
  while (shapes.size() < mostShapes && !proposals.empty()) {
    auto best = std::max_element(proposals.begin(), proposals.end(),
                                 [&](const Proposal &a, const Proposal &b) {
                                   return gainOf(a, seen) < gainOf(b, seen);
                                 });
    if (!shapes.empty() && gainOf(*best, seen) < 2)
      break;
    if ((shapes.empty() || operations + best->operations <= mostOfAll) &&
        (!anySnug || proposer.isSnug(*best))) {
      shapes.push_back(best->shape);
      seen.insert(best->features.begin(), best->features.end());
      operations += shapes.size() == 1 ? 0 : best->operations;
    }
    proposals.erase(best);
  }
  return shapes;
}

/// Elements of the shared buffers of \p staged at \p shape, one stage and no
/// pitch counted.
static int64_t sharedElements(const Nest &staged, const Shape &shape) {
  auto values = verify::paramValues(staged, shape);
  int64_t all = 0;
  for (const Array &a : staged.arrays) {
    if (!a.buffer || a.buffer->memory != Buffer::Shared)
      continue;
    int64_t elements = 1;
    for (const IndexExpr &e : a.extents)
      elements *=
          verify::evaluate(staged.expandDefinitions(e), values).value_or(0);
    all += elements;
  }
  return all;
}

std::optional<Shape> largeFilterShape(const Nest &original, const Nest &staged,
                                      int64_t sharedBytes) {
  constexpr int64_t LeastBytes = 4; // of an element
  for (int64_t width : {61, 127, 251}) {
    std::optional<Shape> shape = verify::ShapeChooser(original).choose(
        verify::exactly(1, 1, width, 1, 1, 1));
    if (shape && sharedElements(staged, *shape) * LeastBytes > sharedBytes)
      return shape;
  }
  return std::nullopt;
}

} // namespace convopt
