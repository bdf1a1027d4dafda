//===- IntervalsTest.cpp - Intervals of index expressions -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Intervals.h"
#include "Fixtures.h"
#include "RandomExpr.h"

using namespace convopt;

namespace {

/// Three loops, of which the inner ones begin and end with the outer ones.
constexpr const char *triangle = R"(
nest triangle from "triangle.c"
argument out "float *@" array
array out: float[64] output
loops i, j, k

for i in 0 .. 4 {
  for j in max(-2, i - 1) .. min(5, ceildiv(9 - i, 2)) {
    for k in ceildiv(i - 3, 2) .. 3 {
      S0[i, j, k]: out[i] += 1.0f
    }
  }
}
)";

/// The least value of \p e over `triangle`, by trying all.
int64_t leastOf(const IndexExpr &e) {
  auto ceilOfHalf = [](int64_t n) { return (n + (n > 0)) / 2; };
  int64_t least = INT64_MAX;
  for (int64_t i = 0; i != 4; ++i)
    for (int64_t j = std::max<int64_t>(-2, i - 1);
         j < std::min<int64_t>(5, ceilOfHalf(9 - i)); ++j)
      for (int64_t k = ceilOfHalf(i - 3); k < 3; ++k) {
        const int64_t at[] = {i, j, k};
        least = std::min(least, *e.evaluate([&](Var v) { return at[v.id]; }));
      }
  return least;
}

/// Expressions over the loops of `triangle`.
class Subscripts {
public:
  IndexExpr next() {
    return random.make(3).first.substitute(
        [&](Var v) -> std::optional<IndexExpr> {
          if (v.kind == Var::Loop)
            return std::nullopt;
          return random.value(v);
        });
  }

private:
  RandomExpr random{7};
};

TEST(Intervals, WhatIsProvedHolds) {
  const Nest nest = parsed(triangle);
  Subscripts subscripts;
  int proved = 0, tight = 0;
  for (int run = 0; run != 2000; ++run) {
    const IndexExpr e = subscripts.next();
    if (!e.usesLoops() || !e.isValid())
      continue;
    const int64_t least = leastOf(e);
    for (int64_t claim : {least, least + 1}) {
      if (!isProvablyNonNegative(nest, e - claim, loops(nest)))
        continue;
      ASSERT_EQ(claim, least)
          << printed(nest) << e.str([&](Var v) { return nest.name(v); });
      ++tight;
    }
    proved += isProvablyNonNegative(nest, e - least + 20, loops(nest));
  }
  EXPECT_GT(tight, 300);
  EXPECT_GT(proved, tight);
}

TEST(Intervals, EndsAreReached) {
  const Nest nest = parsed(R"(
nest ends from "ends.c"
argument out "float *@" array
argument S "int @" param
param S: int
array out: float[64] output
loops i, j, k
assume S - 1 >= 0 "a stride is positive"

for i in 0 .. 4 {
  for j in i .. 7 {
    for k in 0 .. j + 1 {
      S0[i, j, k]: out[i] += 1.0f
    }
  }
}
)");
  const IndexExpr stride = IndexExpr::param(0);
  for (int64_t a = -2; a != 3; ++a)
    for (int64_t b = -2; b != 3; ++b)
      for (int64_t c = -2; c != 3; ++c) {
        int64_t most = INT64_MIN;
        for (int64_t i = 0; i != 4; ++i)
          for (int64_t j = i; j != 7; ++j)
            for (int64_t k = 0; k != j + 1; ++k)
              most = std::max(most, a * i + b * j + c * k);
        const IndexExpr e = a * IndexExpr::loop(0) + b * IndexExpr::loop(1) +
                            c * IndexExpr::loop(2);
        EXPECT_EQ(mostAtEnds(nest, stride * e, loops(nest)), stride * most);
      }
  // Nothing says which end it is.
  EXPECT_FALSE(
      mostAtEnds(nest, (stride - 5) * IndexExpr::loop(0), loops(nest)));
}

} // namespace
