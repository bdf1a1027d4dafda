//===- QuotientsTest.cpp - Quotients of fewer terms -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Quotients.h"
#include <array>
#include <gtest/gtest.h>
#include <random>

using namespace convopt;

namespace {

const IndexExpr b = IndexExpr::loop(0), t = IndexExpr::loop(1),
                r = IndexExpr::loop(2), n = IndexExpr::param(0);

/// b is below 784, t below 8, r below 4; nothing is known of n.
std::optional<int64_t> greatest(Var v) {
  if (v.kind == Var::Param)
    return std::nullopt;
  return std::array<int64_t, 3>{783, 7, 3}[v.id];
}

bool isRegister(Var v) { return v == loopVar(2); }
bool isAny(Var) { return true; }
bool takesAll(const IndexExpr &) { return true; }

IndexExpr floorDiv(const IndexExpr &e, int64_t by) {
  return IndexExpr::floorDiv(e, by);
}

TEST(Quotients, DividendsAreSplitByTheGreatestFactor) {
  QuotientSplit s = splitDividend(32 * b + 4 * t + r + 64, 96, greatest);
  EXPECT_EQ(s.factor, 32);
  EXPECT_EQ(s.whole, b + 2);
  EXPECT_EQ(s.rest, 4 * t + r);
  // 4 * t + r may reach 16, and of n nothing is known.
  EXPECT_EQ(splitDividend(16 * b + 4 * t + r, 96, greatest).factor, 4);
  EXPECT_EQ(splitDividend(16 * b + n, 96, greatest).factor, 1);
}

TEST(Quotients, ATileThatDividesARowLiesInIt) {
  const IndexExpr p = 32 * b + 4 * t + r;
  EXPECT_EQ(dropFromDividends(floorDiv(p, 56), greatest, isRegister),
            floorDiv(p - r, 56));
  EXPECT_EQ(dropFromDividends(IndexExpr::mod(p, 56), greatest, isRegister),
            p - 56 * floorDiv(p - r, 56));
  EXPECT_EQ(dropFromDividends(floorDiv(p, 64), greatest, isAny),
            floorDiv(b, 2));
  // Rows of 14 end within a tile of 4.
  EXPECT_EQ(dropFromDividends(floorDiv(p, 14), greatest, isRegister),
            floorDiv(p, 14));
  EXPECT_EQ(dropFromDividends(floorDiv(4 * b + n, 8), greatest, isAny),
            floorDiv(4 * b + n, 8));
}

TEST(Quotients, RemaindersAreFoundInSums) {
  auto found = findRemainder(t + IndexExpr::mod(b, 56), takesAll);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->dividend, b);
  EXPECT_EQ(found->modulus, 56);
  EXPECT_EQ(found->rest, t);
  EXPECT_EQ(found->greatest(), 55);

  // The digit of a quotient, twice: 2 * (b / 28 % 7).
  found = findRemainder(2 * floorDiv(b, 28) - 14 * floorDiv(b, 196), takesAll);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->dividend, 2 * floorDiv(b, 28));
  EXPECT_EQ(found->modulus, 14);
  EXPECT_EQ(found->greatest(), 12);
  EXPECT_TRUE(found->rest.isZero());

  EXPECT_FALSE(findRemainder(b - 2 * floorDiv(t, 341), takesAll));
  EXPECT_FALSE(findRemainder(floorDiv(b, 28), takesAll));
}

TEST(Quotients, GreatestValuesKnowRemainders) {
  EXPECT_EQ(greatestValue(2 * b + 3, greatest), 1569);
  EXPECT_EQ(greatestValue(IndexExpr::mod(n, 7) + r, greatest), 9);
  EXPECT_EQ(greatestValue(56 * IndexExpr::mod(floorDiv(b, 28), 7), greatest),
            336);
  EXPECT_EQ(greatestValue(b - r, greatest), std::nullopt);
  EXPECT_EQ(greatestValue(n, greatest), std::nullopt);
}

TEST(Quotients, ValuesStayWhatTheyAre) {
  std::mt19937 engine(7);
  auto draw = [&](int64_t below) { return int64_t(engine() % below); };
  for (int k = 0; k != 2000; ++k) {
    const int64_t first = 1 + draw(12), second = first * (1 + draw(12));
    const IndexExpr p =
        (1 + draw(40)) * b + (1 + draw(12)) * t + (1 + draw(4)) * r + draw(30);
    const IndexExpr e = (1 + draw(9)) * floorDiv(p, first) +
                        (draw(9) - 4) * floorDiv(p, second) + draw(5) * p;
    const std::array<int64_t, 3> at{draw(784), draw(8), draw(4)};
    auto valueOf = [&](const IndexExpr &of) {
      return *of.evaluate([&](Var v) { return at[v.id]; });
    };
    const int64_t value = valueOf(e);
    EXPECT_EQ(valueOf(dropFromDividends(e, greatest, isAny)), value);
    EXPECT_EQ(valueOf(dropFromDividends(e, greatest, isRegister)), value);
    if (auto most = greatestValue(e, greatest)) {
      EXPECT_LE(value, *most);
    }
    if (auto found = findRemainder(e, takesAll)) {
      const int64_t remainder =
          valueOf(IndexExpr::mod(found->dividend, found->modulus));
      EXPECT_EQ(remainder + valueOf(found->rest), value);
      EXPECT_LE(remainder, found->greatest());
    }
    const QuotientSplit s = splitDividend(p, second, greatest);
    EXPECT_EQ(s.factor * s.whole + s.rest, p);
    EXPECT_LT(valueOf(s.rest), s.factor);
    EXPECT_GE(valueOf(s.rest), 0);
  }
}

} // namespace
