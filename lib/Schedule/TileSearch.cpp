//===- TileSearch.cpp - The cheapest tile by the model --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelledTile.h"
#include "convopt/Target/Memory.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace convopt {

/// How often a device's threads have an output each where a tile is chosen for
/// these, too.
static constexpr double LeastWaves = 4;
/// Of one image, what sizes are tried for tiles of few outputs; how many of
/// them a tile is chosen for, and the most outputs a thread of these, and where
/// outputs have one dimension.
static constexpr int64_t LargestImage = 2048, SmallestImage = 8, FewShapes = 3;
static constexpr double MostOfFew = 4, MostOfLine = 1;
/// What tiles of few outputs take of what is counted for them (on an H200, 1.3
/// to 1.9 for a layer of 28 to 117 columns), and are to be faster by, for some
/// size.
static constexpr double OfFew = 1.7, LeastGain = 1.25;

namespace {

class Search {
public:
  /// \p shapes are those of the nest by sizes that are not known.
  Search(ArrayRef<SumShape> shapes, const Gpu &gpu, const TileSearchOptions &o)
      : shapes(shapes), shape(shapes.front()), gpu(gpu),
        constantBytes(o.constantBytes),
        mostShares(o.maySplit && shape.takesParts && shape.isReordered &&
                           shape.rounds == 1
                       ? MostShares
                       : 1),
        mostOutputs(shape.hasRows ? OfRows : MostThreads), place(o.place) {
    tile.packs = !o.fewOutputs;
    vector = AccessBytes;
    for (const ReadShape &r : shape.reads)
      vector = std::min(vector, r.vector);
  }

  std::optional<StagedTile> run() {
    for (leastThreads = shape.hasRows ? OfRows : LeastThreads;
         tried.empty() && leastThreads >= OfRows; leastThreads -= OfRows)
      forOutputs(0);
    const std::vector<Tried> inOrder = ranked();
    const size_t wanted = place ? place - 1 : 0;
    if (wanted >= inOrder.size())
      return std::nullopt;
    const TileCounts &chosen = inOrder[wanted].tile;
    StagedTile result;
    result.cost = inOrder[wanted].cost;
    for (unsigned r = 0; r != RoleCount; ++r)
      if (shape.ids[r])
        result.tiles[*shape.ids[r]] = {chosen.threads[r], chosen.outputs[r]};
    result.iterations = chosen.iterations;
    result.hasRows = shape.hasRows;
    result.slides = shape.slides;
    result.depth = shape.depth();
    result.hasConstants = chosen.constantBytes != 0;
    result.packs = chosen.packs;
    if (chosen.shares > 1)
      result.tiles[*shape.outermost].threads = chosen.shares;
    if (chosen.turns > 1)
      result.tiles[*shape.last].turns = chosen.turns;
    return result;
  }

private:
  static constexpr int64_t LeastThreads = 96, OfRows = 32, MostThreads = 512,
                           LeastColumns = 2, MostAcross[] = {64, 64, 16},
                           MostIterations = 16, MostOfRows = 64,
                           MostRegisters = 208, LeastBatch = 100,
                           MostShares = 16, MostColumns = 14, MostRows = 8,
                           MostOfWindow = 32, MostAlike = 3;
  static constexpr double Reach = 2; // of a search, in costs of the cheapest

  struct Tried {
    StagedCost cost;
    TileCounts tile;
  };
  /// Threads, then outputs.
  using Key = std::array<int64_t, 2 * RoleCount>;

  static Key keyOf(const TileCounts &t) {
    Key key;
    copy(t.outputs, copy(t.threads, key.begin()));
    return key;
  }

  /// What was tried, the cheapest first; of tiles of the same outputs a few.
  std::vector<Tried> ranked() const {
    std::vector<Tried> all, kept;
    for (const auto &[key, t] : tried)
      if (t.cost.cycles <= Reach * least)
        all.push_back(t);
    stable_sort(all, [](const Tried &a, const Tried &b) {
      return a.cost.cycles < b.cost.cycles;
    });
    std::map<std::array<int64_t, RoleCount>, int64_t> alike;
    for (const Tried &t : all)
      if (alike[t.tile.outputs]++ < MostAlike)
        kept.push_back(t);
    return kept;
  }

  /// Adds what parts the extent of \p role evenly, up to \p most of it.
  void addParts(unsigned role, int64_t most, std::vector<int64_t> &all) const {
    for (int64_t n = 2; place && n <= most; ++n) {
      const int64_t parts = divideCeil(shape.extents[role], n);
      if (n == int64_t(divideCeil(shape.extents[role], parts)) &&
          !is_contained(all, n))
        all.push_back(n);
    }
  }

  /// Whether outputs differ that read the same elements of an image. Where none
  /// do, a thread's rows alone let it read an element once for several.
  bool hasChannels() const { return shape.hasChannels; }

  /// Columns in whole vectors; a few rows, and as many channels as registers
  /// hold.
  std::vector<int64_t> outputsAlong(unsigned role) const {
    std::vector<int64_t> all{1};
    if (!shape.ids[role] || shape.hasRows) // which no other output reads
      return all;
    // Threads of a row are next to one another, and of pixels, too.
    if (role == 0 && shape.hasPixels)
      return all;
    if (role == 0) {
      all = {vector, 2 * vector, 3 * vector};
      if (!hasChannels() && vector > 1)
        all.insert(all.begin(), vector / 2);
      // Lanes side by side read what is not staged or lies apart, as pixels do,
      // and write fields; outputs of one dimension may be few.
      if (shape.storedFields > 1 || (!hasChannels() && !shape.ids[1]) ||
          any_of(shape.reads, [](const ReadShape &r) {
            return !r.hasBox || r.ofOther != 0 ||
                   (r.uses(0) && r.along()[0] == 0);
          }))
        all.insert(all.begin(), 1);
      addParts(role, MostColumns, all);
      // Threads that store far apart take longer than they save: on an H200,
      // 16 taps take 0.017 ms with 4 outputs, 0.021 with 8, 0.026 with 12.
      if (isOfLine())
        erase_if(all, [&](int64_t n) { return n > vector; });
    } else if (role == 1) {
      all = {1, 2, 3, 4};
      if (!hasChannels())
        all.insert(all.end(), {6, 8});
      addParts(role, MostRows, all);
    } else
      all = {1, 2, 3, 4, 6, 8, 12};
    int64_t most = alignTo(shape.extents[role], role == 0 ? vector : 1);
    erase_if(all, [&](int64_t n) { return n > most && n != all.front(); });
    return all;
  }

  /// Powers of two, and what splits the extent evenly. A block is some columns
  /// wide: it reads its halo and writes whole sectors.
  std::vector<int64_t> threadsAlong(unsigned role) const {
    if (!shape.ids[role])
      return {1};
    const int64_t needed = divideCeil(shape.extents[role], tile.outputs[role]);
    std::set<int64_t> all;
    if (shape.hasRows && role == 0 && shape.extents[role] > 1)
      all.insert(OfRows); // that copy, whether they have outputs or not
    // No other loop has threads for the copies of a line.
    const int64_t most = MostAcross[role] << (isOfLine() && !shape.ids[1]);
    for (int64_t n = 1; n <= most && n < 2 * needed; n *= 2)
      if (role != 0 || n >= std::min(LeastColumns, needed))
        all.insert(n);
    for (int64_t parts = 1; parts <= 4; ++parts)
      if (divideCeil(needed, parts) <= uint64_t(most))
        all.insert(divideCeil(needed, parts));
    return {all.begin(), all.end()};
  }

  void forOutputs(unsigned role) {
    if (role == RoleCount)
      return forThreads(0);
    for (int64_t n : outputsAlong(role)) {
      tile.outputs[role] = n;
      if (tile.outputs[0] * tile.outputs[1] * tile.outputs[2] *
              shape.registers * shape.cells <=
          gpu.registersPerThread)
        forOutputs(role + 1);
    }
    tile.outputs[role] = 1;
  }

  void forThreads(unsigned role) {
    const int64_t count = tile.threads[0] * tile.threads[1] * tile.threads[2];
    if (role == RoleCount)
      return forShares(count);
    for (int64_t n : threadsAlong(role)) {
      tile.threads[role] = n;
      forThreads(role + 1);
    }
    tile.threads[role] = 1;
  }

  /// Threads that share sums need a dimension of the block, and iterations of
  /// the outermost loop for each.
  void forShares(int64_t count) {
    const bool isFree = is_contained(tile.threads, 1);
    for (int64_t n = 1; n <= (isFree ? mostShares : 1); n *= 2) {
      tile.shares = n;
      if (n <= shape.extents[RoleCount] && count * n >= leastThreads &&
          count <= mostOutputs && count * n <= MostThreads)
        forIterations();
    }
    tile.shares = 1;
  }

  /// Of a thread, in a stage. Rows may be short.
  int64_t mostIterations() const {
    return shape.hasRows ? MostOfRows / std::max<int64_t>(tile.shares / 2, 1)
                         : MostIterations;
  }

  /// Whether parts are those of a window of one dimension, of any width.
  bool isOfLine() const { return shape.slides && shape.rounds == 1; }

  /// Whether a stage of \p iterations has each thread copy a vector of each
  /// array at most: one of more costs no more of them.
  bool copiesLittle(int64_t iterations) const {
    PerLoop block = shape.extents;
    int64_t threads = tile.shares;
    for (unsigned r = 0; r != RoleCount; ++r) {
      block[r] = tile.threads[r] * tile.outputs[r];
      threads *= tile.threads[r];
    }
    block[RoleCount] = iterations;
    return all_of(shape.reads, [&](const ReadShape &r) {
      return !r.uses(RoleCount) || r.box(block) <= threads * r.vector;
    });
  }

  void forIterations() {
    const int64_t trips = shape.takesParts ? shape.extents[RoleCount] : 1;
    // Constants are for threads that read the same.
    const int64_t most = tile.shares == 1 ? constantBytes : 0;
    for (int64_t bytes : {int64_t(0), most}) {
      tile.constantBytes = bytes;
      for (int64_t n = 1;
           isOfLine() ? n <= MostOfWindow
                      : n * tile.shares < trips &&
                            (n <= mostIterations() ||
                             (n <= MostOfRows && copiesLittle(n)));
           n *= 2)
        consider(n);
      if (trips <= mostIterations() && !shape.slides && tile.shares == 1)
        forTurns(trips);
      if (most == 0)
        break;
    }
  }

  /// One after another, images arrive while others are summed; the blocks that
  /// are left still fill the device several times.
  void forTurns(int64_t iterations) {
    for (int64_t turns : {1, 2, 4, 5, 8, 10})
      if (turns == 1 || (tile.constantBytes != 0 && shape.last &&
                         shape.lastExtent >= LeastBatch * turns)) {
        tile.turns = turns;
        consider(iterations);
      }
    tile.turns = 1;
  }

  /// Whether a tile of \p cycles is none to keep.
  bool isDear(double cycles) const {
    return place ? cycles > Reach * least : cycles >= least;
  }

  /// That of the first shape; its cycles are the geometric mean of all, as a
  /// tile is to be good at each size.
  std::optional<StagedCost> costOf(bool hasConflicts) const {
    std::optional<StagedCost> cost;
    double logs = 0;
    for (const SumShape &s : shapes) {
      const auto found = ModelledTile(s, gpu, tile, hasConflicts).cost();
      if (!found)
        return std::nullopt;
      logs += std::log(found->cycles);
      if (!cost)
        cost = found;
    }
    cost->cycles = std::exp(logs / double(shapes.size()));
    return cost;
  }

  void consider(int64_t iterations) {
    tile.iterations = iterations;
    std::optional<StagedCost> cost;
    for (bool hasConflicts : {false, true}) {
      cost = costOf(hasConflicts);
      if (!cost || cost->registers > MostRegisters || isDear(cost->cycles))
        return;
    }
    least = std::min(least, cost->cycles);
    if (!place)
      tried.clear();
    auto [found, isNew] = tried.try_emplace(keyOf(tile), Tried{*cost, tile});
    if (!isNew && cost->cycles < found->second.cost.cycles)
      found->second = {*cost, tile};
  }

  const ArrayRef<SumShape> shapes;
  const SumShape &shape;
  const Gpu &gpu;
  const int64_t constantBytes, mostShares,
      mostOutputs;                     // of a block's threads, one each
  const unsigned place;                // 0: no more than the cheapest is kept
  int64_t leastThreads = LeastThreads; // fewer where no loops have as many
  int64_t vector; // elements of 16 bytes, of the largest type
  TileCounts tile;
  double least = std::numeric_limits<double>::infinity();
  std::map<Key, Tried> tried;
};

} // namespace

/// The nest for large images, and for small ones where these have outputs for
/// each of the device's threads several times over: fewer take little time by
/// any tile. Where it has filters of any width, for some of these.
static std::vector<SumShape> shapesOfMany(const Nest &nest, const Roles &roles,
                                          const Gpu &gpu, bool anyLength) {
  std::vector<SumShape> shapes;
  auto add = [&](const UnknownSizes &sizes) {
    std::optional<SumShape> shape = SumShape::of(nest, roles, anyLength, sizes);
    auto isSame = [&](const SumShape &s) { return s.work() == shape->work(); };
    if (shape && (shapes.empty() ||
                  (none_of(shapes, isSame) &&
                   shape->outputs() >= LeastWaves * double(gpu.threads()))))
      shapes.push_back(std::move(*shape));
  };
  for (UnknownSizes sizes : UsualImages) {
    add(sizes);
    for (int64_t filter : UsualFilters)
      if (anyLength && !shapes.empty() && shapes.front().hasStrips) {
        sizes.filter = filter;
        add(sizes);
      }
  }
  return shapes;
}

/// The nest for one image of sizes from large to small, each less than the one
/// before by one in \p parts.
static std::vector<SumShape> shapesBySize(const Nest &nest, const Roles &roles,
                                          bool anyLength, int64_t parts) {
  std::vector<SumShape> shapes;
  for (int64_t image = LargestImage; image >= SmallestImage;
       image -= image / parts)
    if (std::optional<SumShape> shape = SumShape::of(
            nest, roles, anyLength, {image, image * image, /*images=*/1}))
      if (shapes.empty() || shape->outputs() != shapes.back().outputs())
        shapes.push_back(std::move(*shape));
  return shapes;
}

/// Of these the largest that gives each thread that the device holds no more
/// than a few outputs, and smaller ones.
static std::vector<SumShape> shapesOfFew(const Nest &nest, const Roles &roles,
                                         const Gpu &gpu, bool anyLength) {
  std::vector<SumShape> shapes;
  const bool isLine = !roles.y && !roles.z;
  const double most = (isLine ? MostOfLine : MostOfFew) * double(gpu.threads());
  for (SumShape &shape : shapesBySize(nest, roles, anyLength, /*parts=*/2))
    if (shape.outputs() <= most && shapes.size() < FewShapes)
      shapes.push_back(std::move(shape));
  return shapes;
}

std::optional<StagedTile> chooseStagedTile(const Nest &nest, const Roles &roles,
                                           const Gpu &gpu,
                                           const TileSearchOptions &o) {
  const std::vector<SumShape> shapes =
      o.fewOutputs ? shapesOfFew(nest, roles, gpu, o.anyLength)
                   : shapesOfMany(nest, roles, gpu, o.anyLength);
  if (shapes.empty())
    return std::nullopt;
  return Search(shapes, gpu, o).run();
}

std::optional<int64_t> leastBlocks(const Nest &nest, const Roles &roles,
                                   const Gpu &gpu, const StagedTile &many,
                                   const StagedTile &few, bool anyLength) {
  std::optional<int64_t> least;
  double gain = 0;
  for (const SumShape &shape :
       shapesBySize(nest, roles, anyLength, /*parts=*/8)) {
    const auto cost = [&](const StagedTile &t) {
      return ModelledTile(shape, gpu, countsOf(shape, t)).cost();
    };
    const std::optional<StagedCost> ofMany = cost(many), ofFew = cost(few);
    if (!ofMany || !ofFew)
      return std::nullopt;
    gain = std::max(gain, ofMany->cycles / (OfFew * ofFew->cycles));
    if (gain <= 1)
      least = ofMany->blocks;
  }
  return gain >= LeastGain ? least : std::nullopt;
}

} // namespace convopt
