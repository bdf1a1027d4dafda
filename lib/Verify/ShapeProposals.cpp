//===- ShapeProposals.cpp - Shapes and what each shows --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeProposals.h"
#include "FlatExpr.h"
#include "TemplateInstances.h"
#include "convopt/Nest/Facts.h"

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
  return {{2, 5, 9, 17}, {1, 3, 7}, {2, 3},    {1, 2, 3},
          {1, 2, 3},     {1, 2},    {0, 1, 2}, {4, 7, 11, 18}};
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

Proposer::Pool::Pool(const Nest &original, ArrayRef<Assumption> facts)
    : nest(withAssumptions(original, facts)), chooser(nest) {}

Proposer::Proposer(const Nest &nest, ArrayRef<LaunchedKernel> kernels,
                   const Gpu &gpu, ArrayRef<TemplateInstance> instances)
    : nest(nest), instances(instances.take_front(mostInstances)), sample(nest),
      steps(nest), byUse(loopsByUse(nest)) {
  for (const LaunchedKernel &k : kernels)
    this->kernels.emplace_back(k, gpu);
}

bool Proposer::isKnown(const Shape &shape) const {
  return any_of(
      all, [&](const Proposal &p) { return p.shape.sizes == shape.sizes; });
}

bool Proposer::isLaunched(const Shape &shape) const {
  std::map<unsigned, bool> isTaken; // by part
  for (const KernelSample &k : kernels)
    isTaken[k.part()] |= !k.refuses(shape);
  return all_of(isTaken, [](const auto &part) { return part.second; });
}

void Proposer::propose(Pool &pool, const Wanted &wanted, double limit) {
  if (const std::optional<Shape> chosen = pool.chooser.choose(wanted))
    consider(pool, *chosen, limit);
}

/// Of \p shape, which the pool's chooser has just found.
void Proposer::consider(Pool &pool, const Shape &shape, double limit) {
  const Values &values = pool.chooser.values();
  auto isSame = [&](const Proposal &p) { return p.shape.sizes == shape.sizes; };
  if (isKnown(shape) || any_of(pool.found, isSame) || !isLaunched(shape))
    return;
  const double operations = countStatements(nest, shape);
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
  if (isCheapest && pool.found.size() == 1 &&
      pool.found.back().operations > mostOperations)
    pool.found.clear();
  pool.found.push_back(std::move(p));
}

/// A loop, and how many iterations it is to have.
using Trips = std::pair<unsigned, int64_t>;

/// How many shapes are drawn for all kernels together, and for each.
constexpr unsigned generalDraws = 160, tileDraws = 48, ownDraws = 40;
/// How many sizes of what was found are changed.
constexpr unsigned sizeDraws = 80;
/// What a shape shows of a kernel's code.
static bool isOfCode(const Feature &f) {
  switch (static_cast<Seen>(f[0])) {
  case Seen::Branch:
  case Seen::Alone:
  case Seen::Edge:
  case Seen::Border:
  case Seen::PlainEdge:
  case Seen::Repeated:
  case Seen::Stepped:
  case Seen::InKernel:
    return true;
  default:
    return false;
  }
}

/// Changes one size at a time of what was found, and keeps what shows of the
/// code what nothing else does, or does for much more. So what one shape shows
/// comes together with what another does: a full tile, with copies that come
/// round again.
void Proposer::vary(Pool &pool, const KernelSample &kernel) {
  constexpr double muchMore = 4;
  std::map<Feature, size_t> cheapest; // with that, of what was found
  auto isNews = [&](const Proposal &p) {
    return any_of(p.features, [&](const Feature &f) {
      if (!isOfCode(f))
        return false;
      auto it = cheapest.find(f);
      return it == cheapest.end() ||
             pool.found[it->second].operations > muchMore * p.operations;
    });
  };
  auto record = [&](size_t at) {
    for (const Feature &f : pool.found[at].features)
      if (isOfCode(f))
        if (size_t &best = cheapest.try_emplace(f, at).first->second;
            pool.found[best].operations > pool.found[at].operations)
          best = at;
  };
  auto tryShape = [&](const std::optional<Shape> &shape) {
    const size_t count = pool.found.size();
    if (shape)
      consider(pool, *shape, mostOfTiles);
    if (pool.found.size() <= count)
      return;
    const Proposal &p = pool.found.back();
    if (isNews(p) && sample.isSnug(p.values))
      record(count);
    else
      pool.found.pop_back();
  };
  for (size_t at = 0; at != pool.found.size(); ++at)
    record(at);
  std::set<size_t> from;
  for (unsigned round = 0; round != 2; ++round) {
    std::set<size_t> best;
    for (const auto &[f, at] : cheapest)
      if (from.insert(at).second)
        best.insert(at);
    for (size_t at : best) {
      const Shape shape = pool.found[at].shape;
      for (const auto &[loop, iterations] :
           concat<const Trips>(kernel.seconds(), kernel.longs()))
        tryShape(pool.chooser.withTrips(shape, loop, iterations));
      for (const auto &[loop, tile] : kernel.tiles())
        if (tile > 1)
          tryShape(pool.chooser.withTrips(shape, loop, tile + 1));
    }
  }
  // One more or less of a size, for comparisons that decide by the least.
  std::vector<size_t> best;
  for (const auto &[f, at] : cheapest)
    best.push_back(at);
  std::vector<unsigned> open;
  for (unsigned p = 0; p != nest.params.size(); ++p)
    if (!nest.params[p].definition)
      open.push_back(p);
  ShapeChooser &chooser = pool.chooser;
  for (unsigned k = 0; k != sizeDraws && !best.empty() && !open.empty(); ++k) {
    const Proposal &p = pool.found[chooser.draw(best)];
    const unsigned param = chooser.draw(open);
    const int64_t value = *p.values.at(param) + chooser.draw({-1, 1});
    if (value >= 0)
      tryShape(chooser.withSize(Shape(p.shape), param, value));
  }
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

/// With the sizes that the first instances in the file have, as templates for
/// many widths have one for each.
void Proposer::proposeInstances() {
  constexpr unsigned draws = 8;
  for (const TemplateInstance &instance : instances) {
    const std::vector<Assumption> sizes = sizesOf(nest, instance);
    if (sizes.empty())
      continue;
    Pool pool(nest, sizes);
    propose(pool, known().front());
    for (unsigned draw = 0; draw != draws; ++draw)
      propose(pool, draw % 2 ? small() : anything());
    close(pool);
  }
}

/// Threads of \p kernel with whole tiles and some to each side, and second
/// blocks and second copies, each alone, then together.
void Proposer::proposeAims(Pool &pool, const KernelSample &kernel) {
  for (const auto &[loop, iterations] :
       concat<const Trips>(kernel.seconds(), kernel.longs())) {
    Wanted wanted = small();
    wanted.aims[loop] = iterations;
    propose(pool, wanted);
  }
  // Windows that images clip are not long in a small one.
  for (const auto &[loop, iterations] : kernel.longs())
    for (bool isRow : {false, true}) {
      Wanted wanted = small();
      wanted.column = {isRow ? 2 : iterations};
      wanted.row = {isRow ? iterations : 1};
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
    // With copies that come round again, or with long sums.
    auto aimAt = [&](const std::set<Trips> &trips) {
      for (const auto &[loop, iterations] : trips)
        if (auto tile = kernel.tiles().find(loop);
            tile == kernel.tiles().end() || tile->second == 1)
          wanted.aims[loop] = iterations;
    };
    if (k / 2 % 3 == 1)
      aimAt(kernel.seconds());
    if (k / 2 % 3 == 2)
      aimAt(kernel.longs());
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
  proposeBlocks(pool, kernel);
  proposeLayers(pool, kernel);
  vary(pool, kernel);
  proposeBorders(pool, kernel);
  close(pool);
  if (kernel.alignment().empty())
    return;
  for (const Constraint &c : kernel.alignment())
    facts.push_back({c, "rows of whole vectors"});
  Pool aligned(nest, facts);
  proposeAims(aligned, kernel);
  vary(aligned, kernel);
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

/// Sizes for which none of the kernels before the general one is: beyond the
/// first \p more of them, and short of the others. \p part has both.
void Proposer::proposeForGeneral(ArrayRef<KernelSample> part, size_t more) {
  const KernelSample &general = part.back();
  std::vector<Assumption> facts = general.facts();
  for (const auto &[k, version] : enumerate(part.drop_back())) {
    if (version.isForManyBlocks())
      continue;
    auto own = find_if(version.facts(), [&](const Assumption &a) {
      return none_of(general.facts(),
                     [&](const Assumption &b) { return a.fact == b.fact; });
    });
    if (own == version.facts().end())
      return;
    facts.push_back(negated(*own, /*isMore=*/k < more));
  }
  proposeFor(general, facts);
}

/// \p nest without facts by which arrays are touched to their ends.
static Nest withoutSpans(Nest nest) {
  erase_if(nest.assumptions, [](const Assumption &a) { return a.spanned; });
  return nest;
}

/// Sizes at which less of an array is touched than it spans, and which the
/// general kernel takes, as it copies nothing of it; and those at which one
/// such fact alone fails by the least, which tells a comparison from the next.
void Proposer::proposeLittleTouched() {
  constexpr unsigned draws = 8;
  auto draw = [&](const Nest &open, const Assumption &fact) {
    Pool pool(open, fact);
    for (unsigned k = 0; k != draws; ++k)
      propose(pool, small());
    close(pool);
  };
  const Nest open = withoutSpans(nest);
  for (const Assumption &a : nest.assumptions) {
    if (!a.spanned)
      continue;
    Assumption beyond = negated(a, /*isMore=*/true);
    draw(open, beyond);
    Nest others = nest;
    erase_if(others.assumptions,
             [&](const Assumption &b) { return a.fact == b.fact; });
    beyond.fact.kind = Constraint::Zero;
    draw(others, beyond);
  }
}

/// Elements of the arrays that a shape has, of which a driver has copies.
static double elementsOf(const Nest &nest, const Values &values) {
  double all = 0;
  for (const Array &a : nest.arrays) {
    double elements = 1;
    for (const IndexExpr &e : a.extents)
      elements *=
          double(FlatExpr(nest, e, values).evaluate(values).value_or(1));
    all += elements;
  }
  return all;
}

/// For which a block has no room: the first of these that leave the general
/// kernel something to do.
void Proposer::proposeLargeFilters(Pool &pool) {
  constexpr double mostElements = 2e7;
  const Feature isGeneral = feature(Seen::Kernel, kernels.size() - 1);
  for (int64_t width : {9, 11, 15, 21, 31, 45, 61, 91, 127, 181, 251, 1021,
                        8191, 32749, 65521}) {
    propose(pool, exactly(1, 1, width, 1, 1, 1));
    // Where guards leave out a border.
    if (pool.found.empty())
      propose(pool, exactly(width, width, width, 1, 1, 1));
    erase_if(pool.found, [&](const Proposal &p) {
      return !p.features.count(isGeneral) ||
             elementsOf(nest, p.values) > mostElements;
    });
    if (pool.found.empty())
      continue;
    // A whole tile of what is left, and some beyond each side; padding would
    // keep the first from being full. Rows and columns may share a size.
    Wanted whole = exactly(1, 1, width, 1, 1, 1);
    whole.padding = {0};
    int64_t most = 1;
    for (const auto &[loop, tile] : kernels.back().tiles())
      if (tile > 1 && byUse.parallel.count(loop)) {
        whole.aims[loop] = tile + 1;
        most = std::max(most, tile + 1);
        Wanted along = exactly(1, 1, width, 1, 1, 1); // where all take minutes
        along.aims[loop] = tile + 1;
        propose(pool, along, mostOfTiles);
      }
    for (int64_t column : {int64_t(1), most}) {
      whole.column = {column};
      propose(pool, whole, mostOfTiles);
    }
    break;
  }
}

/// Large filters with images that use them to their ends, or with small ones
/// where these take minutes.
void Proposer::proposeLargeFilters() {
  constexpr double most = 5e8;
  for (const Nest &of : {nest, withoutSpans(nest)}) {
    Pool pool(of, {});
    proposeLargeFilters(pool);
    erase_if(pool.found,
             [&](const Proposal &p) { return p.operations > most; });
    if (!pool.found.empty())
      return close(pool);
  }
}

std::vector<Proposal> Proposer::proposals() {
  proposeForNest();
  proposeInstances();
  if (kernels.empty())
    return std::move(all);
  for (ArrayRef<KernelSample> rest = kernels; !rest.empty();) {
    const auto part = rest.take_while(
        [&](const KernelSample &k) { return k.part() == rest.front().part(); });
    rest = rest.drop_front(part.size());
    for (const KernelSample &version : part.drop_back())
      proposeFor(version, version.facts());
    // Mostly they are for filters of some widths, smaller ones first.
    const size_t versions = part.size() - 1;
    for (size_t more :
         std::set<size_t>{0, std::min<size_t>(1, versions), versions})
      proposeForGeneral(part, more);
  }
  if (any_of(ArrayRef(kernels).drop_back(), [](const KernelSample &version) {
        return !version.isForManyBlocks();
      }))
    proposeLargeFilters();
  proposeLittleTouched();
  return std::move(all);
}

} // namespace convopt::verify
