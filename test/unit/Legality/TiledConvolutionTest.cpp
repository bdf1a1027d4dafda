//===- TiledConvolutionTest.cpp - The nests that matter most --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The course's seven-deep convolution, tiled for blocks, threads and registers
// with run-time sizes: fourteen loops, and the sizes that every check is run
// on after every step.
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/Legality.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace convopt;
using namespace llvm;

namespace {

std::string header(bool expanded) {
  return std::string(R"(nest conv from "conv.c"
param B: int
param M: int
param C: int
param H: int
param W: int
param K: int
param H_out: int = H - K + 1
param W_out: int = W - K + 1
array x: float[B][C][H][W] input
array k: float[M][C][K][K] input
array y: float[B][M][H_out][W_out] output
array acc: float)") +
         (expanded ? "[4][8] local expanded 2" : " local") + R"(
loops b, m, h, w, c, p, q, w_b, h_b, m_b, w_t, h_t, m_t, m_r, h_r, m_r2, h_r2, m_r3, h_r3

)";
}

const char *naive = R"(for b in 0 .. B {
  for m in 0 .. M {
    for h in 0 .. H_out {
      for w in 0 .. W_out {
        local acc
        S0: acc = 0.0f
        for c in 0 .. C {
          for p in 0 .. K {
            for q in 0 .. K {
              S1: acc += x[b][c][h + p][w + q] * k[m][c][p][q]
            }
          }
        }
        S2: y[b][m][h][w] = acc
      }
    }
  }
}
)";

/// Blocks of 32 columns, 2 * 8 rows and 2 * 4 channels; \p sum are the loops
/// around S1, outermost first.
std::string tiled(std::initializer_list<StringRef> sum) {
  auto at = [](StringRef statement, StringRef suffix, StringRef more) {
    return (statement + "[b, m = 8 * m_b + 4 * m_t + m_r" + suffix +
            ", h = 16 * h_b + 8 * h_t + h_r" + suffix + ", w = 32 * w_b + w_t" +
            more + "]: ")
        .str();
  };
  auto registers = [](StringRef suffix) {
    return ("for m_r" + suffix +
            " in 0 .. min(4, 8 - 4 * m_t, M - 8 * m_b - 4 * m_t) unrolled {\n"
            "for h_r" +
            suffix +
            " in 0 .. min(8, 16 - 8 * h_t, H_out - 16 * h_b - 8 * h_t) "
            "unrolled {\n")
        .str();
  };
  std::string text = R"(for b in 0 .. B grid.x {
for w_b in 0 .. ceildiv(W_out, 32) grid.x {
for h_b in 0 .. ceildiv(H_out, 16) grid.y {
for m_b in 0 .. ceildiv(M, 8) grid.z {
for w_t in 0 .. min(32, W_out - 32 * w_b) block.x {
for h_t in 0 .. min(2, ceildiv(H_out - 16 * h_b, 8)) block.y {
for m_t in 0 .. min(2, ceildiv(M - 8 * m_b, 4)) block.z {
local acc
)";
  text += registers("") + at("S0", "", "") + "acc[m_r][h_r] = 0.0f\n}\n}\n";
  for (StringRef loop : sum)
    text += ("for " + loop + " in 0 .. " + (loop == "c" ? "C" : "K") + " {\n")
                .str();
  text += registers("2") + at("S1", "2", ", c, p, q") +
          "acc[m_r2][h_r2] += x[b][c][h + p][w + q] * k[m][c][p][q]\n}\n}\n";
  text += "}\n}\n}\n";
  text += registers("3") + at("S2", "3", "") +
          "y[b][m][h][w] = acc[m_r3][h_r3]\n}\n}\n";
  return text + "}\n}\n}\n}\n}\n}\n}\n";
}

class TiledConvolution : public testing::Test {
protected:
  std::string check(std::initializer_list<StringRef> sum,
                    bool associativeMath = false) {
    Expected<Nest> original = parseNest(header(false) + naive);
    if (!original)
      return toString(original.takeError());
    Expected<DependenceAnalysis> analysis =
        DependenceAnalysis::compute(*original);
    if (!analysis)
      return toString(analysis.takeError());
    Expected<Nest> nest = parseNest(header(true) + tiled(sum));
    if (!nest)
      return toString(nest.takeError());
    auto start = std::chrono::steady_clock::now();
    Error e = checkLegality(*analysis, *nest, {associativeMath});
    RecordProperty("milliseconds",
                   std::to_string(std::chrono::duration<double, std::milli>(
                                      std::chrono::steady_clock::now() - start)
                                      .count()));
    return e ? toString(std::move(e)) : "";
  }
};

} // namespace

TEST_F(TiledConvolution, KeepsTheOrderOfAdditions) {
  EXPECT_EQ(check({"c", "p", "q"}), "");
}

TEST_F(TiledConvolution, ReorderedAdditions) {
  std::string refusal = check({"p", "c", "q"});
  EXPECT_NE(refusal.find("must run before S1["), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("-fassociative-math"), std::string::npos) << refusal;
  EXPECT_EQ(check({"p", "c", "q"}, /*associativeMath=*/true), "");
}
