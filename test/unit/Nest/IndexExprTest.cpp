//===- IndexExprTest.cpp - Index arithmetic -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomExpr.h"
#include <gtest/gtest.h>

using namespace convopt;

namespace {

std::string name(Var v) {
  return std::string(1, (v.kind == Var::Loop ? "xyz" : "HKS")[v.id]);
}
std::string c(const IndexExpr &e) { return e.str(name); }
std::string nest(const IndexExpr &e) { return e.str(name, true); }

const IndexExpr x = IndexExpr::loop(0), y = IndexExpr::loop(1);
const IndexExpr H = IndexExpr::param(0), K = IndexExpr::param(1),
                S = IndexExpr::param(2);
const IndexExpr largest = INT64_MAX;

TEST(IndexExpr, EqualValuesAreEqual) {
  EXPECT_EQ((x + y) * (x - y), x * x - y * y);
  EXPECT_EQ(x + y - x - y, IndexExpr(0));
  EXPECT_TRUE((H - H).isZero());
  IndexExpr e = x + 1;
  e += e;
  EXPECT_EQ(e, 2 * x + 2);
  e -= e;
  EXPECT_TRUE(e.isZero());
}

TEST(IndexExpr, PrintsAsC) {
  EXPECT_EQ(c(H - K + 1), "H - K + 1");
  EXPECT_EQ(c(y + 16 * x), "16 * x + y");
  EXPECT_EQ(c(1 - x), "1 - x");
  EXPECT_EQ(c(y - x), "y - x");
  EXPECT_EQ(c(-x - 2), "-x - 2");
  EXPECT_EQ(c(2 * x + H * K - 1), "2 * x + H * K - 1");
  EXPECT_EQ(c(0), "0");
}

TEST(IndexExpr, QuotientsFold) {
  EXPECT_EQ(IndexExpr::floorDiv(-7, 2), IndexExpr(-4));
  EXPECT_EQ(IndexExpr::floorDiv(6 * x + 4, 2), 3 * x + 2);
  EXPECT_EQ(IndexExpr::floorDiv(16 * x + y, 16),
            x + IndexExpr::floorDiv(y, 16));
  EXPECT_EQ(IndexExpr::floorDiv(S * x + y, S), x + IndexExpr::floorDiv(y, S));
  EXPECT_EQ(IndexExpr::floorDiv(4 * x + 3, 8), IndexExpr::floorDiv(x, 2));
  EXPECT_EQ(IndexExpr::floorDiv(H - 1, 16) + 1,
            IndexExpr::floorDiv(H + 15, 16));
  EXPECT_EQ(IndexExpr::floorDiv(IndexExpr::floorDiv(x, 3) + 1, 4),
            IndexExpr::floorDiv(x + 3, 12));
  EXPECT_EQ(IndexExpr::floorDiv(H + K, H + K), IndexExpr(1));
  EXPECT_EQ(IndexExpr::floorDiv(2 * H + 3, 2 * H + 2), IndexExpr(1));
}

TEST(IndexExpr, QuotientsPrint) {
  EXPECT_EQ(c(IndexExpr::floorDiv(H - K, 2) + 1), "(H - K) / 2 + 1");
  EXPECT_EQ(nest(IndexExpr::floorDiv(H - K, 2)), "floordiv(H - K, 2)");
  EXPECT_EQ(c(IndexExpr::floorDiv(H * K, 2 * S)), "H * K / (2 * S)");
  EXPECT_EQ(c(3 * IndexExpr::floorDiv(x, 2)), "3 * (x / 2)");
}

TEST(IndexExpr, RemaindersPrint) {
  EXPECT_EQ(c(IndexExpr::mod(x + 17, 16)), "(x + 1) % 16");
  EXPECT_EQ(c(IndexExpr::mod(x, S)), "x % S");
  EXPECT_EQ(c(-IndexExpr::mod(x, S)), "-(x % S)");
  EXPECT_EQ(c(3 * IndexExpr::mod(2 * x, 4) + 5), "6 * (x % 2) + 5");
  EXPECT_EQ(c(x - 4 * IndexExpr::floorDiv(x, 8)), "x - 4 * (x / 8)");
}

TEST(IndexExpr, OverflowIsContagious) {
  IndexExpr e = largest * x + x;
  EXPECT_FALSE(e.isValid());
  EXPECT_FALSE((e - e).isValid());
  EXPECT_FALSE((e * 0).isValid());
  EXPECT_FALSE((largest + 1).isValid());
  EXPECT_FALSE((largest * 2).isValid());
  EXPECT_FALSE(IndexExpr(INT64_MIN).isValid());
  EXPECT_FALSE(IndexExpr::floorDiv(x, 0).isValid());
  EXPECT_FALSE(IndexExpr::floorDiv(x, -2).isValid());
  EXPECT_FALSE(e.isConstant());
  EXPECT_FALSE(e.asVar());
  EXPECT_FALSE(e.evaluate([](Var) { return 0; }));
  EXPECT_NE(e, IndexExpr(0));
}

TEST(IndexExpr, Coefficients) {
  IndexExpr e = 3 * x + S * x + H * y - 2;
  EXPECT_EQ(e.coefficient(loopVar(0)), 3);
  EXPECT_EQ(e.coefficient(loopVar(1)), 0);
  EXPECT_EQ(e.constantTerm(), -2);
  EXPECT_EQ(*e.symbolicCoefficient(loopVar(0)), S + 3);
  EXPECT_EQ(*e.symbolicCoefficient(loopVar(1)), H);
  EXPECT_TRUE(e.symbolicCoefficient(loopVar(2))->isZero());
  EXPECT_FALSE((x * x).symbolicCoefficient(loopVar(0)));
  EXPECT_FALSE((x + IndexExpr::mod(x, 3)).symbolicCoefficient(loopVar(0)));
}

TEST(IndexExpr, Queries) {
  IndexExpr quotient = IndexExpr::floorDiv(x + H, 4);
  EXPECT_TRUE((2 * x + H * K - 1).isAffine());
  EXPECT_TRUE(quotient.isAffine());
  EXPECT_FALSE((S * x).isAffine());
  EXPECT_FALSE((x * y).isAffine());
  EXPECT_FALSE(IndexExpr::floorDiv(x, S).isAffine());
  EXPECT_FALSE((H * quotient).isAffine());
  EXPECT_TRUE(quotient.hasQuotient());
  EXPECT_FALSE((x * H).hasQuotient());
  EXPECT_TRUE(quotient.uses(paramVar(0)));
  EXPECT_TRUE(quotient.usesLoops());
  EXPECT_FALSE((H * K).usesLoops());
  EXPECT_EQ(quotient.vars(), (std::set<Var>{loopVar(0), paramVar(0)}));
  EXPECT_EQ(*x.asVar(), loopVar(0));
  EXPECT_FALSE((2 * x).asVar());
}

TEST(IndexExpr, SubstitutesAllAtOnce) {
  auto swap = [](Var v) -> std::optional<IndexExpr> {
    if (v.kind == Var::Param)
      return std::nullopt;
    return v.id == 0 ? y : x;
  };
  EXPECT_EQ((2 * x + y + H).substitute(swap), 2 * y + x + H);
  EXPECT_EQ(IndexExpr::floorDiv(x, 4).substitute(loopVar(0), 4 * y), y);
}

TEST(IndexExpr, CanonicalFormKeepsTheValue) {
  RandomExpr random(20240607);
  for (int i = 0; i != 3000; ++i) {
    auto [e, expected] = random.make(4);
    ASSERT_TRUE(e.isValid());
    std::optional<int64_t> value =
        e.evaluate([&](Var v) { return random.value(v); });
    ASSERT_TRUE(value) << nest(e);
    EXPECT_EQ(*value, expected) << nest(e);
    EXPECT_EQ(e.substitute([](Var) { return std::nullopt; }), e) << nest(e);
  }
}

} // namespace
