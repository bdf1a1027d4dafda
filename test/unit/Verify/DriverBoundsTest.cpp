//===- DriverBoundsTest.cpp - What a driver knows of errors ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Verify/DriverBounds.h"
#include "gtest/gtest.h"
#include <cfloat>
#include <cstring>
#include <random>

using namespace convopt_verify;

namespace {

const auto plus = [](auto a, auto b) { return a + b; };
const auto minus = [](auto a, auto b) { return a - b; };
const auto times = [](auto a, auto b) { return a * b; };
const auto over = [](auto a, auto b) { return a / b; };
const auto less = [](auto a, auto b) { return a < b; };
const auto root = [](auto a) { return std::sqrt(a); };
const auto power = [](auto a) { return std::exp(a); };

/// A float without its lower half, as `__nv_bfloat16` is one.
struct Short {
  float value;
  Short(float v) {
    uint32_t bits;
    std::memcpy(&bits, &v, sizeof(v));
    bits &= 0xFFFF0000;
    std::memcpy(&value, &bits, sizeof(v));
  }
  operator float() const { return value; }
};

template <class A, class B> constexpr bool same() {
  return std::is_same<A, B>::value;
}

/// Nothing, as what \p value is in float is within the bound of \p b, which is
/// no more than \p factor roundings of \p size.
template <class T>
void expectWithin(float value, const Bounded<T> &b, double size,
                  double factor) {
  EXPECT_LE(std::fabs(value - b.value), b.error);
  EXPECT_LE(b.error, factor * FLT_EPSILON * size) << value;
}

} // namespace

TEST(DriverBounds, HoldForFloatsAndAreNoLargerThanThat) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> draw(-1, 1);
  for (int k = 0; k < 10000; ++k) {
    const float a = draw(random), b = draw(random), c = draw(random);
    const auto d = arithmetic(minus, known(a), known(b));
    expectWithin(a - b, d, 2, 1.01);
    const auto e = arithmetic(plus, arithmetic(times, d, d), known(0.01f));
    const float f = (a - b) * (a - b) + 0.01f;
    expectWithin(f, e, 4.01, 4.1);
    expectWithin(std::sqrt(f), apply<float>(1, root, e), 40, 4.1);
    // Fused, too.
    expectWithin(std::fma(a - b, a - b, 0.01f), e, 4.01, 4.1);
    expectWithin(c / f, quotient(over, known(c), e), 1e4 * 4.01, 4.2);
    expectWithin(std::exp(a - b), apply<float>(8, power, d), std::exp(2.0), 11);
  }
}

TEST(DriverBounds, FunctionsOfFloatsRoundTheirArguments) {
  const auto f = [](auto a) { return std::exp(a); };
  EXPECT_LT(apply<float>(8, f, known(30.1f)).error, std::exp(31) * 9e-7);
  EXPECT_GT(apply<float>(8, f, known(30.1)).error, std::exp(30) * 4e-6);
}

TEST(DriverBounds, ExactOperandsGiveExactWholeNumbers) {
  EXPECT_EQ(arithmetic(plus, known(3.0f), known(-5)).error, 0);
  EXPECT_EQ(arithmetic(times, known(1.5f), known(2.0f)).error, 0);
  EXPECT_EQ(quotient(over, known(6.0f), known(3.0f)).error, 0);
  EXPECT_GT(quotient(over, known(1.0f), known(3.0f)).error, 0);
  // No float is 2^24 + 1, and each int is a double.
  EXPECT_NEAR(convert<float>(known(16777217)).error, 2, 1e-6);
  EXPECT_EQ(convert<double>(known(16777217)).error, 0);
  EXPECT_EQ(convert<float>(known(0.5f)).error, 0);
}

TEST(DriverBounds, InfinitiesOfExactOperandsHaveNoError) {
  const auto most = known(-INFINITY);
  EXPECT_EQ(most.error, 0);
  EXPECT_EQ(arithmetic(minus, most, Bounded<float>{1, 0.5}).error, 0);
  EXPECT_EQ(apply<float>(8, power, most).value, 0);
  EXPECT_LT(apply<float>(8, power, most).error, 1e-40);
  EXPECT_EQ(apply<float>(1, root, known(-1.0f)).error, 0) << "not a number";
  // What the type does not hold is another thing in it.
  EXPECT_EQ(arithmetic(times, known(1e30f), known(1e30f)).error, unknown);
  EXPECT_LT(arithmetic(times, known(1e30), known(1e30)).error, 1e45);
}

TEST(DriverBounds, NothingIsKnownWhereAFunctionEnds) {
  const Bounded<float> nearZero{0.5, 0.5};
  EXPECT_EQ(quotient(over, known(1.0f), nearZero).error, unknown);
  EXPECT_EQ(apply<float>(1, root, Bounded<float>{0.5, 0.6}).error, unknown);
  EXPECT_EQ(arithmetic(times, known(0.0f), Bounded<float>{1, unknown}).error,
            unknown);
}

TEST(DriverBounds, ChoicesAreEitherSideWhereTheyMayBe) {
  const Bounded<float> a{1, 0.25}, b{1.25, 0.25}, c{3, 0.25};
  EXPECT_EQ(compare(less, a, c).error, 0);
  EXPECT_EQ(compare(less, a, b).error, 1);
  auto pick = [](const Bounded<bool> &is) {
    return choose(
        is, [] { return known(2); }, [] { return known(2.5f); });
  };
  EXPECT_EQ(pick(compare(less, a, c)).value, 2);
  EXPECT_EQ(pick(compare(less, a, c)).error, 0);
  EXPECT_EQ(pick(compare(less, a, b)).error, 0.5);
  const auto larger = [](auto x, auto y) { return x < y ? y : x; };
  EXPECT_EQ(apply(0, larger, a, b).error, 0.25);
}

TEST(DriverBounds, IntegersAreCutAndWrap) {
  EXPECT_EQ(convert<int>(Bounded<float>{2.5, 0.25}).error, 0);
  EXPECT_EQ(convert<int>(Bounded<float>{2.9, 0.25}).error, 1);
  EXPECT_EQ(convert<signed char>(known(300)).value, 44);
  EXPECT_EQ(convert<signed char>(known(300)).error, 0);
  EXPECT_EQ(convert<signed char>(Bounded<int>{127, 1}).error, unknown);
  EXPECT_EQ(convert<int>(known(1e20f)).error, unknown);
  EXPECT_EQ(arithmetic(plus, known(1u), known(~0u)).value, 0u);
  const auto half = quotient(over, Bounded<int>{7, 1}, known(2));
  EXPECT_EQ(half.value, 3);
  EXPECT_EQ(half.error, 1);
}

TEST(DriverBounds, HaveTheTypesOfTheSource) {
  EXPECT_TRUE((same<Common<float, int, double>, double>()));
  EXPECT_TRUE((same<Common<int, Short>, Short>()));
  EXPECT_TRUE((same<Common<Short, float>, float>()));
  EXPECT_TRUE((same<decltype(arithmetic(plus, known('a'), known('b'))),
                    Bounded<int>>()));
  // exp of an int is a double, and expf a float.
  EXPECT_TRUE((same<decltype(apply(8, power, known(1))), Bounded<double>>()));
  EXPECT_TRUE(
      (same<decltype(apply<float>(8, power, known(1))), Bounded<float>>()));
  enum Flag { Low = 1 };
  EXPECT_TRUE((same<decltype(known(Low)), Bounded<int>>()));
  EXPECT_EQ(roundingOf<Short>.epsilon, 0x1p-7);
  EXPECT_EQ(roundingOf<Short>.largest, double(Short(FLT_MAX)));
  EXPECT_EQ(arithmetic(times, known(Short(1.5f)), known(Short(1.5f))).error,
            2.25 * 0x1p-7 + roundingOf<Short>.smallest);
}
