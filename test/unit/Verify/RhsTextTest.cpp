//===- RhsTextTest.cpp - Right-hand sides in the reference ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Verify/RhsText.h"
#include "gtest/gtest.h"

using namespace convopt::verify;

static std::string name(size_t k) { return "v" + std::to_string(k); }

TEST(RhsText, IsComputedInDouble) {
  EXPECT_EQ(wideText("$0 * $1", name), "v0 * v1");
  EXPECT_EQ(wideText("$10 - 1.5e-3f", name), "v10 - double(1.5e-3f)");
  EXPECT_EQ(wideText("fmaxf($0, 0.0f) + f(0x1F, 2.f)", name),
            "fmax(v0, double(0.0f)) + f(0x1F, double(2.f))");
  EXPECT_EQ(wideText("$$ + a->f", name), "$ + a->f");
}

TEST(RhsText, MagnitudesOnlyAdd) {
  EXPECT_EQ(magnitudeText("-$0 - $1 * -2", name), "+v0 + v1 * +2");
  EXPECT_EQ(magnitudeText("$0 - 1e-5f", name), "v0 + double(1e-5f)");
  EXPECT_EQ(magnitudeText("std::min($0, p->x)", name), "std::max(v0, p->x)");
}

TEST(RhsText, ExactOnIntegers) {
  EXPECT_TRUE(isExactOnIntegers("$0 * $1 + 2.0f - (float)$2"));
  EXPECT_TRUE(isExactOnIntegers("fmaxf($0, 0.f)"));
  EXPECT_FALSE(isExactOnIntegers("$0 / 3"));
  EXPECT_FALSE(isExactOnIntegers("0.5f * $0"));
  EXPECT_FALSE(isExactOnIntegers("1e-3f"));
  EXPECT_FALSE(isExactOnIntegers("tanhf($0)"));
}

TEST(RhsText, FindsConversions) {
  EXPECT_EQ(floatingTypes("$0 * (_Float16)($1) + (unsigned)1.0f"),
            std::vector<llvm::StringRef>{"_Float16"});
}

TEST(RhsText, OperandsOfDivisors) {
  using Operands = std::set<size_t>;
  EXPECT_EQ(partialOperands("$0 / $1 + $2"), Operands({1}));
  EXPECT_EQ(partialOperands("$0 % ($1 - $2) > $3"), Operands({1, 2}));
  EXPECT_EQ(partialOperands("f($0 / $1, $2) * $3"), Operands({1}));
  EXPECT_EQ(partialOperands("$0 / (int)$1 * $2"), Operands({1, 2}));
  EXPECT_EQ(partialOperands("($0 << $1) + $2"), Operands({0, 1, 2}));
  EXPECT_EQ(partialOperands("$0 * $1"), Operands());
}

TEST(RhsText, CallsAndChoices) {
  EXPECT_FALSE(hasCallOrChoice("$0 * ($1 + $2)"));
  EXPECT_TRUE(hasCallOrChoice("relu($0)"));
  EXPECT_TRUE(hasCallOrChoice("$0 > 0 ? $0 : 0"));
}
