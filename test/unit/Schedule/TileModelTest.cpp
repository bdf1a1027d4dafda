//===- TileModelTest.cpp --------------------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/TileModel.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Resources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace convopt;

/// Loops of convolution(), by id.
enum { Channel, Row, Column };

/// A layer of \p c maps to \p k, of images of \p size squared before a filter
/// of \p f squared; numbers or "N".
static Nest convolution(const std::string &c, const std::string &k,
                        const std::string &size, int f,
                        const std::string &type = "float") {
  const std::string width = std::to_string(f), less = std::to_string(f - 1);
  const std::string out = size + " - " + less;
  std::string text = "nest f from \"f.c\"\nparam N: int\n"
                     "array in: " +
                     type + "[" + c + "][" + size + "][" + size +
                     "] input\n"
                     "array w: " +
                     type + "[" + c + "][" + k + "][" + width + "][" + width +
                     "] input\n"
                     "array out: " +
                     type + "[" + k + "][" + out + "][" + out +
                     "] output\n"
                     "array t: " +
                     type +
                     " local\n\n"
                     "for m in 0 .. " +
                     k + " {\nfor y in 0 .. " + out +
                     " {\n"
                     "for x in 0 .. " +
                     out +
                     " {\nlocal t\nS0: t = 0\n"
                     "for c in 0 .. " +
                     c + " {\nfor p in 0 .. " + width +
                     " {\n"
                     "for q in 0 .. " +
                     width +
                     " {\n"
                     "S1: t += in[c][y + p][x + q] * w[c][m][p][q]\n"
                     "}\n}\n}\nS2: out[m][y][x] = t\n}\n}\n}\n";
  llvm::Expected<Nest> nest = parseNest(text);
  EXPECT_TRUE(bool(nest)) << text;
  return llvm::cantFail(std::move(nest));
}

/// A batch of images, of layers with filters [k][c][f][f].
static Nest batch(int c, int k, int size, int f, int images = 10000) {
  std::string text =
      llvm::formatv("nest f from \"f.c\"\n"
                    "array in: float[{5}][{0}][{2}][{2}] input\n"
                    "array w: float[{1}][{0}][{3}][{3}] input\n"
                    "array out: float[{5}][{1}][{4}][{4}] output\n"
                    "array t: float local\n\n"
                    "for b in 0 .. {5} {{\nfor m in 0 .. {1} {{\n"
                    "for y in 0 .. {4} {{\nfor x in 0 .. {4} {{\n"
                    "local t\nS0: t = 0\nfor c in 0 .. {0} {{\n"
                    "for p in 0 .. {3} {{\nfor q in 0 .. {3} {{\n"
                    "S1: t += in[b][c][y + p][x + q] * w[m][c][p][q]\n"
                    "}\n}\n}\nS2: out[b][m][y][x] = t\n}\n}\n}\n}\n",
                    c, k, size, f, size - f + 1, images)
          .str();
  llvm::Expected<Nest> nest = parseNest(text);
  EXPECT_TRUE(bool(nest)) << text;
  return llvm::cantFail(std::move(nest));
}

static Gpu gpu(const char *arch = "sm_90") {
  return llvm::cantFail(findGpu(arch));
}

static Roles rolesOf(const Nest &nest) {
  Pipeline pipeline = llvm::cantFail(Pipeline::create(nest));
  return llvm::cantFail(findRoles(nest, pipeline.dependences()));
}

static std::optional<StagedCost> cost(const Nest &nest, LoopTile x, LoopTile y,
                                      LoopTile z, int64_t iterations) {
  return costOf(nest, rolesOf(nest), gpu(),
                {{{Column, x}, {Row, y}, {Channel, z}}, iterations});
}

TEST(TileModelTest, CountsWhatAStagedKernelTakes) {
  std::optional<StagedCost> c =
      cost(convolution("64", "64", "4096", 3), {16, 4}, {2, 3}, {4, 8}, 8);
  ASSERT_TRUE(c);
  // Two stages of 8 channels: 8 rows of 66 columns at a pitch of 68; 9 * 32.
  EXPECT_EQ(c->sharedBytes, 2 * 8 * 4 * (8 * 68 + 9 * 32));
  // 96 sums, windows of 3 rows of 8, 8 weights, 32 for addresses.
  EXPECT_EQ(c->registers, 96 + 3 * 8 + 8 + 32);
  EXPECT_EQ(c->residentBlocks, 3);
  EXPECT_GT(c->sums, 0.9);
  EXPECT_LT(c->sums, 0.96);
}

// Blocks copy all fields of an element, and threads store them.
TEST(TileModelTest, CountsFieldsOfElements) {
  auto costOfTile = [](int fields, LoopTile x) {
    std::string text = "nest f from \"f.c\"\n";
    for (const char *a : {"in: float[1026][1026]", "out: float[1024][1024]"})
      text += "array " + std::string(a) + "[" + std::to_string(fields) +
              (*a == 'i' ? "] input\n" : "] inout\n");
    for (int k = 0; k != fields; ++k)
      text += "array t" + std::to_string(k) + ": float local\n";
    text += "\nfor y in 0 .. 1024 {\nfor x in 0 .. 1024 {\n";
    std::string set, add, write;
    for (int k = 0; k != fields; ++k) {
      const std::string n = std::to_string(k), t = "t" + n;
      set += "local " + t + "\nS" + n + ": " + t + " = 0.0f\n";
      add += "S" + std::to_string(fields + k) + ": " + t +
             " += in[y + p][x + q][" + n + "]\n";
      write += "S" + std::to_string(2 * fields + k) + ": out[y][x][" + n +
               "] = " + t + "\n";
    }
    text += set + "for p in 0 .. 3 {\nfor q in 0 .. 3 {\n" + add + "}\n}\n" +
            write + "}\n}\n";
    const Nest nest = llvm::cantFail(parseNest(text));
    const Roles roles = rolesOf(nest);
    EXPECT_EQ(roles.x, 1u);
    return costOf(nest, roles, gpu(), {{{0, {4, 4}}, {1, x}}, 1}).value();
  };
  EXPECT_EQ(costOfTile(3, {32, 1}).sharedBytes, 4 * 18 * 34 * 3);
  // One instruction copies or stores four fields.
  EXPECT_LT(costOfTile(4, {32, 1}).cycles, 4 * costOfTile(1, {32, 1}).cycles);
  // Lanes that are apart touch lines of three fields again and again.
  EXPECT_LT(costOfTile(3, {32, 1}).cycles, costOfTile(3, {16, 2}).cycles);
}

// 108 multiprocessors in place of 132 take as much longer.
TEST(TileModelTest, CountsWithTheDevice) {
  const Nest nest = convolution("64", "64", "4096", 3);
  auto cycles = [&](const char *arch) {
    return costOf(nest, rolesOf(nest), gpu(arch),
                  {{{Column, {16, 4}}, {Row, {2, 3}}, {Channel, {4, 8}}}, 8})
        .value()
        .cycles;
  };
  EXPECT_NEAR(cycles("sm_80") / cycles("sm_90"), 132.0 / 108, 0.01);
}

// As measured (docs/benchmarks.md, "Packed filters"): what suits one filter
// does not suit another.
TEST(TileModelTest, RanksTilesAsMeasured) {
  auto cycles = [](int width, LoopTile x, LoopTile y, LoopTile z, int64_t c) {
    return cost(convolution("64", "64", "4096", width), x, y, z, c)
        .value()
        .cycles;
  };
  auto tiles = [&](int width) {
    return std::array<double, 3>{cycles(width, {16, 4}, {2, 3}, {4, 8}, 8),
                                 cycles(width, {16, 8}, {2, 1}, {4, 8}, 4),
                                 cycles(width, {4, 12}, {8, 1}, {4, 4}, 2)};
  };
  auto [r1, r2, r4] = tiles(3);
  EXPECT_LT(r1, r2);
  EXPECT_LT(r2, r4);
  auto [s1, s2, s4] = tiles(5);
  EXPECT_LT(s2, s4);
  EXPECT_LT(s4, s1);
}

// Within a quarter of the times measured at 1980 MHz on 132 multiprocessors.
TEST(TileModelTest, ExpectsTheTimesThatWereMeasured) {
  auto isNear = [](std::optional<StagedCost> c, double milliseconds) {
    return std::abs(c.value().cycles / 1.98e6 / milliseconds - 1) < 0.25;
  };
  Nest narrow = convolution("64", "64", "4096", 3);
  Nest wide = convolution("64", "64", "4096", 5);
  EXPECT_TRUE(isNear(cost(narrow, {16, 4}, {2, 3}, {4, 8}, 8), 25.36));
  EXPECT_TRUE(isNear(cost(narrow, {16, 8}, {2, 1}, {4, 8}, 4), 28.30));
  EXPECT_TRUE(isNear(cost(narrow, {4, 12}, {8, 1}, {4, 4}, 2), 32.55));
  EXPECT_TRUE(isNear(cost(wide, {16, 8}, {2, 1}, {4, 8}, 4), 65.90));
  EXPECT_TRUE(isNear(cost(wide, {4, 12}, {8, 1}, {4, 4}, 2), 72.05));
}

// Rows of 4094 outputs are stored by pairs, rows of 4096 by fours, where
// threads have as many next to one another and the sum is short.
TEST(TileModelTest, ChargesForTheSectorsThatStoresTouch) {
  auto cycles = [](const char *channels, int filter, int columns) {
    const std::string size = std::to_string(columns + filter - 1);
    const Nest nest = convolution(channels, "12", size, filter);
    return cost(nest, {16, 4}, {8, 1}, {1, 6}, 1).value().cycles;
  };
  EXPECT_GT(cycles("1", 5, 4094), 1.05 * cycles("1", 5, 4096));
  EXPECT_LT(cycles("64", 5, 4094), 1.03 * cycles("64", 5, 4096));
}

/// Cycles with \p turns images a block, and constants.
static double batchCycles(const Nest &nest, LoopTile x, LoopTile y, LoopTile m,
                          int64_t iterations, int64_t turns = 1,
                          bool hasConstants = true) {
  const TileSpec tiles{{0, {1, 1, turns}}, {1, m}, {2, y}, {3, x}};
  return costOf(nest, rolesOf(nest), gpu(), {tiles, iterations, hasConstants})
      .value()
      .cycles;
}

// As measured (docs/results/2026-11-21-h200-course.md): constants are faster
// than weights in shared memory, images in turn than one a block.
TEST(TileModelTest, RanksLayersOfSmallImagesAsMeasured) {
  const Nest wide = batch(1, 4, 86, 7), narrow = batch(4, 16, 40, 7);
  auto of86 = [&](int64_t turns, bool hasConstants) {
    return batchCycles(wide, {20, 4}, {8, 2}, {1, 4}, 1, turns, hasConstants);
  };
  EXPECT_LT(of86(10, true), of86(1, true));
  EXPECT_LT(of86(1, true), of86(1, false));
  // Eight sums a weight, or four.
  const double best = batchCycles(narrow, {9, 4}, {17, 2}, {1, 4}, 4),
               shared =
                   batchCycles(narrow, {9, 4}, {17, 2}, {1, 8}, 2, 1, false);
  EXPECT_LT(best, shared);
  for (int64_t turns : {1, 8})
    EXPECT_LT(shared, batchCycles(narrow, {9, 4}, {17, 1}, {1, 8}, 4, turns));
}

// As measured: of a window that moves by two, the compiler reads what unrolled
// columns share once, and by vectors. 0.18, 0.32 and 0.44 ms on an H100, of
// which each read by itself was priced as 0.45, 0.40 and 0.49.
TEST(TileModelTest, RanksStridedWindowsAsMeasured) {
  const Nest nest = llvm::cantFail(parseNest(R"(nest f from "f.c"
array in: float[32][1][161][700] input
array w: float[32][1][5][20] input
array out: float[32][32][79][341] output
array t: float local

for b in 0 .. 32 {
  for m in 0 .. 32 {
    for y in 0 .. 79 {
      for x in 0 .. 341 {
        local t
        S0: t = 0
        for c in 0 .. 1 {
          for p in 0 .. 5 {
            for q in 0 .. 20 {
              S1: t += in[b][c][2 * y + p][2 * x + q] * w[m][c][p][q]
            }
          }
        }
        S2: out[b][m][y][x] = t
      }
    }
  }
}
)"));
  const double few = batchCycles(nest, {8, 4}, {4, 1}, {4, 8}, 1, 1, false),
               many = batchCycles(nest, {2, 4}, {16, 1}, {3, 12}, 1, 1, false),
               wide = batchCycles(nest, {2, 8}, {40, 1}, {3, 12}, 1, 1, false);
  EXPECT_LT(few, many);
  EXPECT_LT(many, wide);
  EXPECT_NEAR(few / 1.98e6, 0.18, 0.06);
}

TEST(TileModelTest, TurnsNeedConstantsThatStayLiterals) {
  const Nest nest = batch(1, 8, 86, 5);
  auto hasCost = [&](int64_t maps, int64_t turns, bool hasConstants) {
    return costOf(
               nest, rolesOf(nest), gpu(),
               {{{0, {1, 1, turns}}, {1, {1, maps}}, {2, {8, 1}}, {3, {20, 4}}},
                1,
                hasConstants})
        .has_value();
  };
  EXPECT_TRUE(hasCost(8, 10, true));
  EXPECT_TRUE(hasCost(4, 1, true));
  EXPECT_FALSE(hasCost(4, 10, true));
  EXPECT_FALSE(hasCost(8, 10, false));
}

TEST(TileModelTest, HasNoCostForWhatTheDeviceCannotRun) {
  Nest nest = convolution("64", "64", "4096", 3);
  EXPECT_FALSE(cost(nest, {64, 4}, {32, 1}, {1, 4}, 1)); // threads
  EXPECT_FALSE(cost(nest, {16, 12}, {2, 4}, {4, 8}, 1)); // registers
  EXPECT_FALSE(cost(nest, {64, 4}, {4, 4}, {1, 4}, 64)); // shared memory
}

TEST(TileModelTest, HasNoCostForLoopsThatNeverRun) {
  const Nest nest = batch(1, 1, 9, 3, /*images=*/0);
  EXPECT_FALSE(chooseStagedTile(nest, rolesOf(nest), gpu()));
}

TEST(TileModelTest, NeedsASumWhoseWindowsHaveASize) {
  Nest nest = convolution("64", "64", "4096", 3);
  Roles none;
  EXPECT_TRUE(chooseStagedTile(nest, rolesOf(nest), gpu()));
  llvm::Expected<Nest> copy = parseNest("nest f from \"f.c\"\nparam N: int\n"
                                        "array a: float[N] input\n"
                                        "array b: float[N] output\n\n"
                                        "for x in 0 .. N {\n"
                                        "S0: b[x] = a[x] * 2.0f\n}\n");
  ASSERT_TRUE(bool(copy));
  EXPECT_FALSE(chooseStagedTile(*copy, rolesOf(*copy), gpu()));
}

// The tile passes every step and every limit, on every device; what it covers
// beyond the image is less than two threads do.
TEST(TileModelTest, FitsSizesAndDevices) {
  for (const char *type : {"float", "double"})
    for (const char *k : {"1", "12", "N"})
      for (const char *size : {"33", "86", "N"}) {
        Nest nest = convolution("12", k, size, 5, type);
        Roles roles = rolesOf(nest);
        for (const Gpu &device : knownGpus()) {
          std::optional<StagedTile> tile =
              chooseStagedTile(nest, roles, device);
          ASSERT_TRUE(tile) << type << k << size << device.name;
          Remarks remarks;
          llvm::Expected<std::vector<Step>> steps = expandShorthand(
              nest, roles, {tile->tiles, StagingSpec{tile->iterations, 2}},
              device, remarks);
          EXPECT_TRUE(bool(steps)) << type << k << size << device.name;
          llvm::consumeError(steps.takeError());
          if (*size == 'N')
            continue;
          LoopTile x = tile->tiles.at(Column);
          EXPECT_LT(x.threads * x.outputs, std::stoi(size) + 2 * x.outputs)
              << device.name;
        }
      }
}

// Few outputs with long sums leave the device without threads, many do not.
TEST(TileModelTest, SharesLongSumsOfFewOutputs) {
  auto threadsOfSum = [](const Nest &nest, bool maySplit) {
    const std::optional<StagedTile> tile = chooseStagedTile(
        nest, rolesOf(nest), gpu(), {/*anyLength=*/false, 0, maySplit});
    EXPECT_TRUE(tile);
    const unsigned sum = 4; // b, m, y, x, c
    auto found = tile->tiles.find(sum);
    return found == tile->tiles.end() ? 1 : found->second.threads;
  };
  const Nest few = batch(512, 64, 9, 3, 4), many = batch(64, 64, 130, 3, 16);
  EXPECT_EQ(threadsOfSum(few, false), 1);
  EXPECT_GT(threadsOfSum(few, true), 1);
  EXPECT_EQ(threadsOfSum(many, true), 1);
}

// A search is given tiles in the order of their cost, the cheapest of which is
// at least as cheap as the default; a few have the same outputs a thread.
TEST(TileModelTest, GivesASearchOtherTiles) {
  const Nest nest = convolution("64", "64", "16", 3);
  const Roles roles = rolesOf(nest);
  auto at = [&](unsigned place) {
    TileSearchOptions o;
    o.place = place;
    return chooseStagedTile(nest, roles, gpu(), o);
  };
  auto outputsOf = [](const StagedTile &t) {
    return std::vector<int64_t>{t.tiles.at(Channel).outputs,
                                t.tiles.at(Row).outputs,
                                t.tiles.at(Column).outputs};
  };
  const std::optional<StagedTile> byDefault = at(0);
  ASSERT_TRUE(byDefault);
  std::map<std::vector<int64_t>, int> alike;
  std::set<int64_t> columns;
  double before = 0;
  for (unsigned place = 1; place <= 12; ++place) {
    const std::optional<StagedTile> tile = at(place);
    ASSERT_TRUE(tile) << place;
    EXPECT_TRUE(place != 1 || tile->cost.cycles <= byDefault->cost.cycles);
    EXPECT_GE(tile->cost.cycles, before);
    before = tile->cost.cycles;
    EXPECT_LE(++alike[outputsOf(*tile)], 3);
    columns.insert(tile->tiles.at(Column).outputs);
  }
  EXPECT_TRUE(llvm::any_of(columns, [](int64_t n) { return n % 4 != 0; }));
  EXPECT_FALSE(at(100000));
}

// Sizes that are not known may be those of a small image: it has tiles of its
// own, which are cheaper until the larger ones have blocks for the device.
TEST(TileModelTest, HasTilesForFewOutputs) {
  const Nest nest = convolution("64", "64", "N", 3);
  const Roles roles = rolesOf(nest);
  TileSearchOptions o;
  const auto many = chooseStagedTile(nest, roles, gpu(), o);
  o.fewOutputs = true;
  const auto few = chooseStagedTile(nest, roles, gpu(), o);
  ASSERT_TRUE(many && few);
  auto outputsOf = [](const StagedTile &t) {
    int64_t outputs = 1;
    for (const auto &[loop, tile] : t.tiles)
      outputs *= tile.outputs;
    return outputs;
  };
  EXPECT_LT(outputsOf(*few), outputsOf(*many));
  const auto least = leastBlocks(nest, roles, gpu(), *many, *few, false);
  ASSERT_TRUE(least);
  EXPECT_GT(*least, 1);
  EXPECT_LT(*least, 16 * gpu().multiprocessors);
  // No tile is faster than itself, nor one for many outputs where they are few.
  EXPECT_FALSE(leastBlocks(nest, roles, gpu(), *many, *many, false));
  EXPECT_FALSE(leastBlocks(nest, roles, gpu(), *few, *many, false));
}

// Sizes that are known leave no choice.
TEST(TileModelTest, HasNoTilesForFewOutputsOfLargeImages) {
  const Nest nest = convolution("64", "64", "2050", 3);
  TileSearchOptions o;
  o.fewOutputs = true;
  EXPECT_FALSE(chooseStagedTile(nest, rolesOf(nest), gpu(), o));
}
