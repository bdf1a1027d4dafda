//===- RhsTextTest.cpp - Right-hand sides in the reference ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Verify/RhsText.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace convopt::verify;

static std::string wide(llvm::StringRef text) {
  return wideText(parseCExpr(text));
}
static std::string magnitude(llvm::StringRef text) {
  return magnitudeText(parseCExpr(text));
}
static bool isExact(llvm::StringRef text) {
  return isExactOnIntegers(parseCExpr(text));
}
static std::set<size_t> partial(llvm::StringRef text) {
  return partialOperands(parseCExpr(text));
}

TEST(RhsText, IsComputedInDouble) {
  EXPECT_EQ(wide("$0 * $1"), "$0 * $1");
  EXPECT_EQ(wide("$10 - 1.5e-3f"), "$10 - double(1.5e-3f)");
  EXPECT_EQ(wide("fmaxf($0, 0.0f) + f(0x1F, 2.f)"),
            "fmax($0, double(0.0f)) + f(0x1F, double(2.f))");
  EXPECT_EQ(wide("__expf($0) + __popc($1)"),
            "convopt_verify::intrinsics::__expf($0) + "
            "convopt_verify::intrinsics::__popc($1)");
  EXPECT_EQ(wide("__builtin_isnan($0)"), "__builtin_isnan($0)");
  EXPECT_EQ(wide("std::expf(expf) - (__half)$0"),
            "std::exp(expf) - (double)$0");
  EXPECT_EQ(wide("0x1p-1f + 1"), "double(0x1p-1f) + 1");
  EXPECT_EQ(wide("$$ + a->f"), "$$ + a->f");
}

TEST(RhsText, EachNodeCarriesErrors) {
  auto text = [](llvm::StringRef rhs) {
    return boundedText(parseCExpr(rhs), {"alpha"});
  };
  EXPECT_EQ(text("$1"), "$1");
  EXPECT_EQ(text("(float)alpha"), "convopt_verify::convert<float>("
                                  "convopt_verify::known(alpha))");
  EXPECT_EQ(text("$0 * 0.5f"),
            "convopt_verify::arithmetic([&](auto cvx_0, auto cvx_1) { return "
            "cvx_0 * cvx_1; }, $0, convopt_verify::known(0.5f))");
  // Parts that are not computed with have no errors.
  EXPECT_EQ(text("std::expf($0) "), "convopt_verify::apply<float>(8, [&](auto "
                                    "cvx_0) { return std::exp(cvx_0); }, $0)");
  EXPECT_EQ(text("f(p, ($2), 2)"), "convopt_verify::call([&](auto cvx_0) { "
                                   "return f(p, (cvx_0), 2); }, $2)");
  EXPECT_EQ(text("table[$0]"), "convopt_verify::exactly([&](auto cvx_0) { "
                               "return table[cvx_0]; }, $0)");
  EXPECT_EQ(text("!$0"), "convopt_verify::choose($0, [&] { return "
                         "convopt_verify::known(false); }, [&] { return "
                         "convopt_verify::known(true); })");
}

TEST(RhsText, MagnitudesOnlyAdd) {
  EXPECT_EQ(magnitude("-$0 - $1 * -2"), "$0 + $1 * 2");
  EXPECT_EQ(magnitude("$0 - 1e-5f"), "$0 + double(1e-5f)");
  EXPECT_EQ(magnitude("std::min($0, p->x)"), "std::max($0, p->x)");
  EXPECT_EQ(magnitude("fminf($0, min)"), "fmax($0, min)");
  // No `++`.
  EXPECT_EQ(magnitude("$0+-$1"), "$0+$1");
  EXPECT_EQ(magnitude("($0 - 1) & 3"), "($0 - 1) & 3");
  EXPECT_EQ(magnitude("$0 && -1 < $1"), "$0 && 1 < $1");
  EXPECT_EQ(magnitude("$0 - T{-$1}"), "$0 + T{+$1}");
  EXPECT_EQ(magnitude("T{$0 - 1} & 3"), "T{$0 - 1} & 3");
}

TEST(RhsText, ExactOnIntegers) {
  EXPECT_TRUE(isExact("$0 * $1 + 2.0f - (float)$2"));
  EXPECT_TRUE(isExact("fmaxf($0, 0.f)"));
  EXPECT_TRUE(isExact("static_cast<int>($0) * 3"));
  EXPECT_FALSE(isExact("$0 / 3"));
  EXPECT_FALSE(isExact("0.5f * $0"));
  EXPECT_FALSE(isExact("1e-3f"));
  EXPECT_FALSE(isExact("tanhf($0)"));
  // Below zero it is 2^32 and more.
  EXPECT_FALSE(isExact("$0 - 2u"));
  EXPECT_FALSE(isExact("$0 * 0x1p-1f"));
}

TEST(RhsText, OperandsOfDivisors) {
  using Operands = std::set<size_t>;
  EXPECT_EQ(partial("$0 / $1 + $2"), Operands({1}));
  EXPECT_EQ(partial("$0 % ($1 - $2) > $3"), Operands({1, 2}));
  EXPECT_EQ(partial("f($0 / $1, $2) * $3"), Operands({1}));
  EXPECT_EQ(partial("$0 / (int)$1 * $2"), Operands({1}));
  EXPECT_EQ(partial("$0 / -$1"), Operands({1}));
  EXPECT_EQ(partial("$0 / (($1 + 1) - $2)"), Operands({1, 2}));
  EXPECT_EQ(partial("($0 << $1) + $2"), Operands({0, 1, 2}));
  EXPECT_EQ(partial("$0 * $1"), Operands());
  EXPECT_EQ(partial("$0 + T{$1}"), Operands({0, 1}));
}

TEST(RhsText, CallsAndChoices) {
  auto hasAny = [](llvm::StringRef text) {
    return hasCallOrChoice(parseCExpr(text));
  };
  EXPECT_FALSE(hasAny("$0 * ($1 + $2)"));
  EXPECT_TRUE(hasAny("relu($0)"));
  EXPECT_TRUE(hasAny("relu<1> ($0)"));
  EXPECT_FALSE(hasAny("float($0)"));
  EXPECT_TRUE(hasAny("$0 > 0 ? $0 : 0"));
}
