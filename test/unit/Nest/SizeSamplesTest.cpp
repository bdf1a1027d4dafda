//===- SizeSamplesTest.cpp - How many sizes facts leave -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/SizeSamples.h"
#include "Fixtures.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {
namespace {

/// Those of \p facts that together hold for hardly any sizes of a filter of K
/// columns in H rows of W outputs, with pitches p, q and r.
std::vector<size_t> rare(const std::string &facts) {
  const std::string text = R"(
nest rows from "rows.c"
argument in "const float *@" array
argument w "const float *@" array
argument out "float *@" array
argument H "int @" param
argument W "int @" param
argument K "int @" param
argument a "int @" param
argument p "int @" param
argument q "int @" param
argument r "int @" param
param H: int
param W: int
param K: int
param a: int
param p: int
param q: int
param r: int
array in: float[H][W + K] input
array w: float[K] input
array out: float[H][W] output
loops y, x, j
)" + facts + R"(
for y in 0 .. H {
  for x in 0 .. W {
    for j in 0 .. K {
      S0[y, x, j]: out[y][x] += in[y][x + j] * w[j]
    }
  }
}
)";
  const Nest nest = cantFail(parseNest(text));
  std::vector<Constraint> all;
  for (const Assumption &a : nest.assumptions)
    all.push_back(a.fact);
  return SizeSamples(nest).rareTogether(all);
}

using Numbers = std::vector<size_t>;

TEST(SizeSamples, FactsThatCallersMeetAreNotRare) {
  EXPECT_EQ(rare(""), Numbers());
  EXPECT_EQ(rare("assume W - K >= 0 \"\"\nassume K % 2 - 1 >= 0 \"\""),
            Numbers());
  EXPECT_EQ(rare("assume W - a - 1 >= 0 \"\"\nassume K - a >= 0 \"\""),
            Numbers());
}

TEST(SizeSamples, PitchesAreMadeOfOthers) {
  EXPECT_EQ(rare("assume p - W - K >= 0 \"\"\n"
                 "assume -(q % p) >= 0 \"\"\n"
                 "assume floordiv(q, p) - H >= 0 \"\"\n"
                 "assume -(r % q) >= 0 \"\"\n"
                 "assume floordiv(r, q) - 64 >= 0 \"\""),
            Numbers());
}

TEST(SizeSamples, OneFactMayBeRare) {
  EXPECT_EQ(rare("assume W - K >= 0 \"\"\nassume 2 - W >= 0 \"\""), Numbers{1});
  EXPECT_EQ(rare("assume W + p - W * p - 1 >= 0 \"\""), Numbers{0});
}

TEST(SizeSamples, OrdinaryFactsContradictOneAnother) {
  EXPECT_EQ(rare("assume W - a - 1 >= 0 \"\"\n"
                 "assume W - K >= 0 \"\"\n"
                 "assume a - W >= 0 \"\""),
            (Numbers{0, 2}));
}

TEST(SizeSamples, OneSizeMayBeWhatTheOthersMakeIt) {
  EXPECT_EQ(rare("assume p - 1 >= 0 \"\"\n"
                 "assume -(p % q) >= 0 \"\"\n"
                 "assume q - 1 >= 0 \"\"\n"
                 "assume -(q % p) >= 0 \"\""),
            (Numbers{1, 3}));
  EXPECT_EQ(rare("assume W - a - 1 >= 0 \"\"\nassume a - W + 1 >= 0 \"\""),
            (Numbers{0, 1}));
}

TEST(SizeSamples, GuardsTellBordersFromImages) {
  const Nest nest = cantFail(parseNest(R"(
nest rows from "rows.c"
argument in "const float *@" array
argument w "const float *@" array
argument out "float *@" array
argument H "int @" param
argument W "int @" param
argument K "int @" param
argument n "int @" param
argument a "int @" param
argument d "int @" param
argument y0 "int @" param
param H: int
param W: int
param K: int
param n: int
param a: int
param d: int
param y0: int
array in: float[n][n] input
array w: float[K] input
array out: float[H][W] output
loops y, x, j

for y in 0 .. H {
  for x in 0 .. W {
    for j in 0 .. K {
      if x + j - a >= 0 and n + a - x - j - 1 >= 0 and y + j + d >= 0 and y - y0 >= 0 {
        S0[y, x, j]: out[y][x] += in[y + j + d][x + j - a] * w[j]
      }
    }
  }
}
)"));
  const SizeSamples samples(nest);
  using Role = SizeSamples::Role;
  const std::vector<Role> expected{Role::Large, Role::Large,  Role::Small,
                                   Role::Large, Role::Border, Role::Shift,
                                   Role::Free};
  for (auto [id, role] : enumerate(expected))
    EXPECT_EQ(samples.roleOf(paramVar(id)), role) << nest.params[id].name;
  // A border of half the image, and not one of half the filter.
  const IndexExpr border = IndexExpr::param(4);
  EXPECT_EQ(samples.shareOf(2 * border - IndexExpr::param(1)),
            SizeSamples::HardlyAny);
  EXPECT_EQ(samples.shareOf(IndexExpr::param(2) - 1 - border),
            SizeSamples::NearlyAll);
}

TEST(SizeSamples, StridesAreSmallAndEndBeforeImagesDo) {
  const Nest nest = cantFail(parseNest(R"(
nest rows from "rows.c"
argument in "const float *@" array
argument out "float *@" array
argument W "int @" param
argument s "int @" param
argument K "int @" param
argument u "int @" param
param W: int
param s: int
param K: int
param u: int
array in: float[W] input
array out: float[floordiv(W - 1, s) + 1] output
loops x, j

for x in 0 .. floordiv(W - 1, s) + 1 {
  for j in 0 .. K {
    if j + x * s >= 0 and W - j - x * s - 1 >= 0 and x + u >= 0 {
      S0[x, j]: out[x] += in[x * s + j] * in[x + u]
    }
  }
}
)"));
  const SizeSamples samples(nest);
  const IndexExpr w = IndexExpr::param(0), s = IndexExpr::param(1),
                  k = IndexExpr::param(2), u = IndexExpr::param(3);
  EXPECT_EQ(samples.roleOf(paramVar(1)), SizeSamples::Role::Step);
  // Of an output alone, too.
  EXPECT_EQ(samples.roleOf(paramVar(3)), SizeSamples::Role::Shift);
  EXPECT_EQ(samples.shareOf(u), SizeSamples::Many);
  EXPECT_EQ(samples.shareOf(w - 4 * s), SizeSamples::NearlyAll);
  // No window passes the end.
  EXPECT_LT(samples.shareOf(w - k - s * IndexExpr::floorDiv(w - 1, s)),
            SizeSamples::Many);
}

} // namespace
} // namespace convopt
