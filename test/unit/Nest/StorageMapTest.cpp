//===- StorageMapTest.cpp - Where the elements of a buffer lie ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

namespace {

/// A buffer of boxes \p box of `in`, of type float\p extents.
Nest staged(const std::string &extents, const std::string &box,
            const std::string &layout) {
  return cantFail(parseNest("nest f from \"f.c\"\nparam W: int\n"
                            "array in: float" +
                            extents + " input\narray in_s: float" + box +
                            " local buffer of in shared " + layout + "\n"));
}

/// "2: 9 by 4, 1: 4": the digits, slowest first, with counts and weights, and
/// how many elements there are.
std::string digits(const Nest &nest) {
  const StorageMap map(nest, nest.arrays[1]);
  std::string text;
  for (const StorageDigit &g : map.digits())
    text += std::to_string(g.dim) + ": " + str(nest, g.count) +
            (g.weight == 1 ? "" : " by " + std::to_string(g.weight)) + ", ";
  auto elements = constantElements(nest, nest.arrays[1]);
  return text + (elements ? std::to_string(*elements) : "unknown");
}

TEST(StorageMap, HasADigitForEachDimensionOfSeveralPlaces) {
  EXPECT_EQ(digits(staged("[9][8][40]", "[1][4][34]", "")), "1: 4, 2: 34, 136");
  EXPECT_EQ(digits(staged("[9][8][40]", "[1][4][34]", "pitch 4 depth 2")),
            "1: 4, 2: 36, 288");
  EXPECT_EQ(digits(staged("[9][8][40]", "[2][4][34]", "order(2, 0, 1)")),
            "2: 34, 0: 2, 1: 4, 272");
  EXPECT_EQ(digits(staged("[9][8][W]", "[1][4][W]", "")),
            "1: 4, 2: W, unknown");
}

TEST(StorageMap, BlocksAreTwoDigits) {
  EXPECT_EQ(digits(staged("[8][40]", "[4][34]", "block 4")),
            "1: 9 by 4, 0: 4, 1: 4, 144");
  EXPECT_EQ(digits(staged("[8][40]", "[4][34]", "pitch 8 block 4")),
            "1: 10 by 4, 0: 4, 1: 4, 160");
}

TEST(StorageMap, LinearDimensionsAreTheArrays) {
  // 34 elements behind the last row are what the box reads beyond it.
  const Nest nest = staged("[12][33][33]", "[4][34][34]", "linear 3");
  EXPECT_EQ(digits(nest), "0: 4, 1: 33, 2: 33, 4390");
  EXPECT_TRUE(StorageMap(nest, nest.arrays[1]).liesAsArray(0));
}

TEST(StorageMap, StridesAreThoseOfTheArrayWhereRowsAreWhole) {
  auto strides = [](const Nest &nest) {
    const StorageMap map(nest, nest.arrays[1]);
    std::string text;
    for (unsigned d = 0; d != 3; ++d) {
      const std::optional<IndexExpr> stride = map.stride(d);
      text += (stride ? str(nest, *stride) : "none") + ", ";
    }
    return text + (map.liesAsArray(1) ? "as array" : "otherwise");
  };
  EXPECT_EQ(strides(staged("[9][8][W]", "[2][4][W]", "")),
            "4 * W, W, 1, as array");
  EXPECT_EQ(strides(staged("[9][8][40]", "[2][4][38]", "pitch 4")),
            "160, 40, 1, as array");
  EXPECT_EQ(strides(staged("[9][8][40]", "[2][4][40]", "order(0, 2, 1)")),
            "160, 1, 4, otherwise");
  EXPECT_EQ(strides(staged("[9][8][40]", "[1][4][40]", "swizzle 4")),
            "none, none, none, otherwise");
}

} // namespace
