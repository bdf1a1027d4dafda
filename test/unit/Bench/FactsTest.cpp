//===- FactsTest.cpp - Work, counted --------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Facts.h"
#include "LayerNests.h"
#include <algorithm>

using namespace convopt;
using namespace convopt::bench;
using namespace convopt::test;

static llvm::Expected<StaticFacts> workOf(const std::string &text,
                                          llvm::StringRef shape) {
  const Nest nest = nestOf(text);
  return countWork(nest, llvm::cantFail(parseShape(shape, nest)));
}

static std::string replaced(std::string text, llvm::StringRef from,
                            llvm::StringRef to) {
  text.replace(text.find(from.str()), from.size(), to.str());
  return text;
}

TEST(CountWork, MultipliesABoxAtAnySize) {
  auto facts = workOf(Figure3, "N=64,O=32,H=4096,W=4000,F=5");
  ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
  EXPECT_EQ(facts->flops, 2.0 * 64 * 32 * 4092 * 3996 * 25);
  EXPECT_EQ(facts->compulsoryBytes,
            4 * (64.0 * 4096 * 4000 + 64 * 32 * 25 + 32.0 * 4092 * 3996));
  EXPECT_FALSE(facts->threadsPerBlock);
}

TEST(CountWork, TakesTheSizeOfTemplateTypes) {
  const char *sizes = "radius=1,widthIn=12,widthOut=10,nIn=1,nOut=1,ElTp=";
  auto single = workOf(Square, std::string(sizes) + "float");
  auto twice = workOf(Square, std::string(sizes) + "double");
  ASSERT_TRUE(single && twice);
  EXPECT_EQ(2 * single->compulsoryBytes, twice->compulsoryBytes);
  EXPECT_NE(refusalOf(workOf(Square, std::string(sizes) + "Pixel"))
                .find("the size of 'Pixel', the element of 'input'"),
            std::string::npos);
}

/// What padding leaves, by running the loops.
static double insidePairs(int64_t outputs, int64_t filter, int64_t image,
                          int64_t stride, int64_t pad) {
  double pairs = 0;
  for (int64_t h = 0; h != outputs; ++h)
    for (int64_t p = 0; p != filter; ++p)
      pairs += h * stride + p - pad >= 0 && h * stride + p - pad < image;
  return pairs;
}

TEST(CountWork, PaddingIsNoWorkInAnyForm) {
  const char *sizes = "C=3,H=15,W=22,M=4,K=5,stride=2,pad=3";
  const double work =
      2 * 3 * 4.0 * insidePairs(9, 5, 15, 2, 3) * insidePairs(12, 5, 22, 2, 3);
  const char *inside = "h * stride + p - pad >= 0 and "
                       "H + pad - h * stride - p - 1 >= 0 and "
                       "w * stride + q - pad >= 0 and "
                       "W + pad - w * stride - q - 1 >= 0";
  const std::string read = "x[c][h * stride + p - pad][w * stride + q - pad]";
  const std::string guarded =
      "guarded(" + std::string(inside) + ", " + read + ", 0.0f)";
  const std::string loads = "S1: pixel = " + guarded;
  const std::string sums = "S2: s += pixel * k[m][c][p][q]";
  std::string direct = replaced(replaced(Padded, loads, ""), sums,
                                "S2: s += (" + guarded + ") * k[m][c][p][q]");
  std::string guard =
      replaced(replaced(Padded, loads, ""), sums,
               "if " + std::string(inside) + " {\nS2: s += " + read +
                   " * k[m][c][p][q]\n}");
  std::string branch = replaced(Padded, loads,
                                "S4: pixel = 0\nif " + std::string(inside) +
                                    " {\nS1: pixel = " + read + "\n}");
  for (const std::string &nest : {std::string(Padded), direct, guard, branch}) {
    auto facts = workOf(nest, sizes);
    ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
    EXPECT_EQ(facts->flops, work) << nest;
    EXPECT_EQ(facts->compulsoryBytes,
              4.0 * (3 * 15 * 22 + 4 * 3 * 25 + 4 * 9 * 12));
  }
  // Padding by another value is work like any other.
  auto other = workOf(replaced(Padded, ", 0.0f)", ", 1.0f)"), sizes);
  ASSERT_TRUE(bool(other));
  EXPECT_EQ(other->flops, 2.0 * 3 * 4 * 9 * 12 * 25);
}

TEST(CountWork, CountsOnlyElementsThatAreRead) {
  // A 1x1 filter with stride 2 reads every other row and column.
  auto facts = workOf(Padded, "C=3,H=9,W=9,M=1,K=1,stride=2,pad=0");
  ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
  EXPECT_EQ(facts->compulsoryBytes, 4.0 * (3 * 25 + 3 + 25));
}

static const char *const Taps = R"(
nest blur from "blur.c"
param H: int
param W: int
array in: float[H][W] input
array out: float[H][W] ROLE
for y in 1 .. H - 1 {
  for x in 1 .. W - 1 {
    S0: out[y][x] OP in[y - 1][x] + in[y][x - 1] + in[y][x] + in[y + 1][x]
  }
}
)";

TEST(CountWork, UnitesWhatSeveralAccessesTouch) {
  auto assigned = workOf(replaced(replaced(Taps, "ROLE", "output"), "OP", "="),
                         "H=10,W=20");
  ASSERT_TRUE(bool(assigned)) << llvm::toString(assigned.takeError());
  EXPECT_EQ(assigned->flops, 0);
  // A plus-shaped reach: no corners, nothing right of the last column.
  const double read = 10 * 18 + 8 * 1, written = 8 * 18;
  EXPECT_EQ(assigned->compulsoryBytes, 4 * (read + written));
  auto added = workOf(replaced(replaced(Taps, "ROLE", "inout"), "OP", "+="),
                      "H=10,W=20");
  ASSERT_TRUE(bool(added));
  EXPECT_EQ(added->compulsoryBytes, 4 * (read + 2 * written));
}

TEST(CountWork, CountsTriangles) {
  auto facts = workOf(R"(
nest t from "t.c"
param N: int
array in: float[N] input
array out: float[N] output
for i in 0 .. N {
  S0: out[i] = 0
  for j in i .. min(ceildiv(N, 2), 7) {
    S1: out[i] += in[j]
  }
}
)",
                      "N=9");
  ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
  EXPECT_EQ(facts->flops, 2 * (5 + 4 + 3 + 2 + 1));
  EXPECT_EQ(facts->compulsoryBytes, 4 * (5 + 9));
}

TEST(CountWork, RefusesWhatItCannotCount) {
  auto refused = [](llvm::StringRef subscript, llvm::StringRef shape) {
    return refusalOf(workOf(replaced(R"(
nest t from "t.c"
param N: int
array in: float[N * N] input
array out: float[N][N] output
for i in 0 .. N {
  for j in 0 .. N {
    S0: out[i][j] = in[SUB]
  }
}
)",
                                     "SUB", subscript),
                            shape));
  };
  EXPECT_EQ(refused("N * i + j", "N=900"), "accepted");
  EXPECT_NE(refused("N * i + j", "N=40000").find("there are too many"),
            std::string::npos);
  EXPECT_NE(refused("floordiv(i, 2)", "N=9").find("is not affine"),
            std::string::npos);
  EXPECT_NE(refused("i + j * N + 1", "N=9").find("leaves the array"),
            std::string::npos);
}

TEST(AddBlock, CountsThreadsAndSharedBytes) {
  const Nest nest = nestOf(R"(
nest t from "t.c"
param N: int
array in: float[N] input
array out: float[N] output
array tile: float[32] local buffer of in shared
for x_b in 0 .. ceildiv(N, 32) grid.x {
  local tile
  copy tile = in[32 * x_b]
  barrier
  for x_t in 0 .. 32 block.x {
    S0[x = 32 * x_b + x_t]: out[x] = in[x] in tile
  }
}
)");
  StaticFacts facts;
  addBlock(nest, facts);
  EXPECT_EQ(facts.threadsPerBlock, 32);
  EXPECT_EQ(facts.sharedBytes, 128);
}
