//===- FactorsTest.cpp - What a right-hand side multiplies ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Factors.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace convopt;

using Factors = std::vector<unsigned>;

/// Of `out[i] = TEXT` over arrays `a`, `b` and `c`.
static Factors factors(const std::string &text) {
  llvm::Expected<Nest> nest = parseNest("nest f from \"f.c\"\n"
                                        "template \"template <class T>\"\n"
                                        "template argument \"T\" type\n"
                                        "argument alpha \"float @\" scalar\n"
                                        "param N: int\n"
                                        "array a: T[N] input\n"
                                        "array b: float[N] input\n"
                                        "array c: short[N] input\n"
                                        "array out: float[N] output\n"
                                        "for i in 0 .. N {\n  S0: out[i] = " +
                                        text + "\n}\n");
  if (!nest)
    ADD_FAILURE() << toString(nest.takeError());
  return factorsOf(*nest, *statements(*nest).front().statement);
}

TEST(Factors, OfProducts) {
  EXPECT_EQ(factors("alpha * (float)a[i] * (b[i] + c[i])"), Factors{0});
  EXPECT_EQ(factors("-a[i] * static_cast<float>(b[i] * 2) * T(c[i])"),
            Factors({0, 1, 2}));
  EXPECT_EQ(factors("(T)-a[i]"), Factors{0});
  EXPECT_EQ(factors("(unsigned char)(c[i])"), Factors{0});
  EXPECT_EQ(factors("a[i] - -b[i]"), Factors());
}

TEST(Factors, NoneWhereMoreIsComputed) {
  EXPECT_EQ(factors("a[i] * expf(b[i])"), Factors());
  EXPECT_EQ(factors("a[i] / b[i]"), Factors());
  EXPECT_EQ(factors("a[i] * (b[i] > 0 ? 1 : 0)"), Factors());
  EXPECT_EQ(factors("a[i] * scale"), Factors());
  EXPECT_EQ(factors("a[i] * U(b[i])"), Factors());
  EXPECT_EQ(factors("a[i] * T{b[i]}"), Factors());
}
