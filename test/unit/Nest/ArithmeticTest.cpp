//===- ArithmeticTest.cpp - What right-hand sides compute in --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

namespace {

/// Whether C++ defines `out OP TEXT` for all values of `a` and `b`.
bool isTotal(const std::string &out, const std::string &a, const std::string &b,
             const std::string &statement) {
  Expected<Nest> nest = parseNest("nest f from \"f.c\"\n"
                                  "argument alpha \"int @\" scalar\n"
                                  "param N: int\n"
                                  "array a: " +
                                  a +
                                  "[N] input\n"
                                  "array b: " +
                                  b +
                                  "[N] input\n"
                                  "array out: " +
                                  out +
                                  "[N] output\n"
                                  "for n in 0 .. N {\n"
                                  "  S0: out[n] " +
                                  statement + "\n}\n");
  if (!nest)
    ADD_FAILURE() << toString(nest.takeError());
  return isTotal(*nest, *statements(*nest).front().statement);
}

TEST(Arithmetic, SumsInSignedTypesCanOverflow) {
  EXPECT_TRUE(isTotal("float", "float", "float", "+= a[n] * b[n]"));
  EXPECT_TRUE(
      isTotal("unsigned int", "unsigned int", "uint32_t", "+= a[n] * b[n]"));
  EXPECT_FALSE(isTotal("int", "float", "float", "+= a[n]"));
  EXPECT_FALSE(isTotal("unsigned char", "float", "float", "+= a[n]"));
  EXPECT_TRUE(isTotal("int", "int", "int", "max= a[n]"));
  // In int, whatever takes it: 65535 * 65535.
  EXPECT_FALSE(
      isTotal("float", "unsigned short", "unsigned short", "+= a[n] * b[n]"));
  EXPECT_FALSE(isTotal("unsigned int", "int", "int", "= a[n] * b[n]"));
  EXPECT_FALSE(isTotal("float", "int", "float", "= a[n] * 3 + b[n]"));
  EXPECT_FALSE(isTotal("float", "int", "float", "= a[n] * alpha"));
  EXPECT_FALSE(isTotal("int", "int", "int", "= -a[n]"));
}

TEST(Arithmetic, OneIntegerAmongFloatingPointIsConverted) {
  EXPECT_TRUE(isTotal("float", "unsigned char", "float", "+= a[n] * b[n]"));
  EXPECT_TRUE(isTotal("float", "bool", "double", "+= a[n] * b[n] * 0.5f"));
  EXPECT_FALSE(isTotal("float", "bool", "int", "+= a[n] + b[n]"));
}

TEST(Arithmetic, IntegersHaveNoQuotientByZero) {
  EXPECT_TRUE(isTotal("float", "float", "float", "= a[n] / b[n]"));
  EXPECT_FALSE(
      isTotal("unsigned int", "unsigned int", "unsigned int", "= a[n] / b[n]"));
  EXPECT_FALSE(isTotal("unsigned int", "unsigned int", "unsigned int",
                       "= a[n] << b[n]"));
  EXPECT_TRUE(
      isTotal("unsigned int", "unsigned int", "unsigned int", "= a[n] & b[n]"));
  EXPECT_FALSE(isTotal("float", "float", "float", "= a[n] * (3 / index(n))"));
  EXPECT_FALSE(isTotal("float", "float", "float", "= a[n] * (3 % alpha)"));
  EXPECT_FALSE(
      isTotal("float", "float", "float", "= a[n] * (100 / ilogbf(b[n]))"));
  EXPECT_TRUE(isTotal("float", "float", "float", "= a[n] / (alpha - 2.0f)"));
}

TEST(Arithmetic, TypesFollowTheOperators) {
  // In long, though all that is read and written is unsigned.
  EXPECT_FALSE(isTotal("unsigned int", "unsigned int", "float", "= a[n] * 3L"));
  EXPECT_FALSE(isTotal("unsigned int", "long", "float", "+= a[n]"));
  EXPECT_FALSE(isTotal("float", "short", "short", "= max(a[n], b[n]) * a[n]"));
  EXPECT_FALSE(isTotal("float", "float", "float", "= a[n] * ('e' + alpha)"));
  // Conversions come first.
  EXPECT_TRUE(isTotal("float", "int", "int", "+= (float)a[n] * float(b[n])"));
  EXPECT_FALSE(isTotal("float", "int", "int", "+= (float)(a[n] * b[n])"));
  EXPECT_TRUE(isTotal("T", "T", "T", "+= (T)a[n] * T(b[n])"));
  EXPECT_FALSE(
      isTotal("float", "float", "float", "= (const int)a[n] * (int)b[n]"));
  // Of names that are none of the nest's: `typedef int index_t`, `int2`.
  EXPECT_FALSE(isTotal("float", "int", "int", "= (index_t)a[n] * b[n]"));
  EXPECT_FALSE(isTotal("float", "int2", "int2", "= a[n].x * b[n].y"));
  EXPECT_TRUE(isTotal("float", "float", "float", "= a[n] - 3 * b[n]"));
  EXPECT_TRUE(isTotal("int", "int", "int", "= a[n] < b[n] ? a[n] : b[n]"));
  EXPECT_TRUE(isTotal("float", "float", "int", "= a[n] * expf(b[n])"));
}

} // namespace
