//===- DefaultTileTest.cpp ------------------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/DefaultTile.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Resources.h"
#include "gtest/gtest.h"

using namespace convopt;

/// A convolution of these sizes, numbers or "N".
static Nest convolution(const std::string &m, const std::string &h,
                        const std::string &w, const std::string &type) {
  std::string text = "nest f from \"f.c\"\n"
                     "param N: int\n"
                     "array in: " +
                     type + "[3][" + h + " + 2][" + w + " + 2] input\n" +
                     "array k: " + type + "[" + m + "][3][3][3] input\n" +
                     "array out: " + type + "[" + m + "][" + h + "][" + w +
                     "] output\n"
                     "array t: " +
                     type + " local\n\n" + "for m in 0 .. " + m +
                     " {\nfor y in 0 .. " + h + " {\nfor x in 0 .. " + w +
                     " {\nlocal t\nS0: t = 0\nfor c in 0 .. 3 {\n"
                     "for p in 0 .. 3 {\nfor q in 0 .. 3 {\n"
                     "S1: t += in[c][y + p][x + q] * k[m][c][p][q]\n"
                     "}\n}\n}\nS2: out[m][y][x] = t\n}\n}\n}\n";
  llvm::Expected<Nest> nest = parseNest(text);
  EXPECT_TRUE(bool(nest)) << text;
  return llvm::cantFail(std::move(nest));
}

/// The tile, once it has gone through every step on every device.
static TileSpec tileOf(const Nest &nest) {
  Pipeline pipeline = llvm::cantFail(Pipeline::create(nest));
  Roles roles =
      llvm::cantFail(findRoles(pipeline.nest(), pipeline.dependences()));
  TileSpec tile;
  for (const Gpu &gpu : knownGpus()) {
    Remarks remarks;
    tile = defaultTile(nest, roles, gpu);
    llvm::Expected<std::vector<Step>> steps =
        expandShorthand(nest, roles, {tile}, gpu, remarks);
    EXPECT_TRUE(bool(steps)) << gpu.name;
    llvm::consumeError(steps.takeError());
  }
  return tile;
}

static bool isTile(const TileSpec &spec, unsigned loop, int64_t threads,
                   int64_t outputs) {
  return spec.at(loop).threads == threads && spec.at(loop).outputs == outputs;
}

// Loops are numbered m, y, x.
TEST(DefaultTileTest, UnknownSizesGetTheBestOfLargeLayers) {
  TileSpec spec = tileOf(convolution("N", "N", "N", "float"));
  EXPECT_TRUE(isTile(spec, 2, 32, 1));
  EXPECT_TRUE(isTile(spec, 1, 2, 8));
  EXPECT_TRUE(isTile(spec, 0, 2, 4));
}

TEST(DefaultTileTest, FitsConstantSizesAndDevices) {
  for (const char *type : {"float", "double"})
    for (const char *m : {"N", "1", "3", "64"})
      for (const char *h : {"N", "1", "7", "80", "2046"})
        for (const char *w : {"N", "1", "5", "33", "2046"})
          tileOf(convolution(m, h, w, type));
}

TEST(DefaultTileTest, OneOutputChannelHasNoThreadsAcrossChannels) {
  TileSpec spec = tileOf(convolution("1", "2046", "2046", "float"));
  EXPECT_TRUE(isTile(spec, 0, 1, 1));
}

TEST(DefaultTileTest, SmallLayersGetBlocksRatherThanRegisters) {
  TileSpec spec = tileOf(convolution("16", "40", "40", "float"));
  EXPECT_TRUE(isTile(spec, 1, 2, 1));
}

TEST(DefaultTileTest, NarrowImagesShareAWarpAmongRows) {
  TileSpec spec = tileOf(convolution("64", "8", "8", "float"));
  EXPECT_EQ(spec.at(2).threads, 8);
  EXPECT_EQ(spec.at(1).threads * spec.at(1).outputs, 8);
}
