//===- SwizzleTest.cpp - Places in a row, and their banks -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Swizzle.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <set>

using namespace convopt;

namespace {

/// Calls \p f with rows of elements and what they are swizzled by.
template <typename F> void forEachLayout(F f) {
  for (int64_t bytes : {1, 2, 4, 8})
    for (int64_t unit : {1, 2, 4, 8, 16})
      for (int64_t length = unit; length <= 320; length += unit)
        f(length, unit, bytes);
}

/// Vectors within a unit stay in one piece, and nothing leaves its row.
TEST(Swizzle, IsABijectionOfTheUnitsOfARow) {
  forEachLayout([](int64_t length, int64_t unit, int64_t bytes) {
    const Swizzle s = swizzleOf(length, unit, bytes);
    for (int64_t row : {0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}) {
      std::set<int64_t> columns;
      for (int64_t c = 0; c != length; ++c) {
        const int64_t at = s.column(row, c);
        columns.insert(at);
        EXPECT_EQ(at, s.column(row, c / unit * unit) + c % unit);
      }
      ASSERT_EQ(columns.size(), size_t(length));
      EXPECT_EQ(*columns.begin(), 0);
      EXPECT_EQ(*columns.rbegin(), length - 1);
    }
  });
}

/// Whatever the length of a row and the row that one begins in: as many units
/// down a column as cover 128 bytes are in different ones of them.
TEST(Swizzle, ColumnsAreFreeOfConflicts) {
  forEachLayout([](int64_t length, int64_t unit, int64_t bytes) {
    const Swizzle s = swizzleOf(length, unit, bytes);
    const int64_t atOnce = std::max<int64_t>(128 / (unit * bytes), 1);
    for (int64_t column = 0; column < length; column += 3 * unit)
      for (int64_t first : {0, 1, 6, 31}) {
        std::set<int64_t> banks;
        for (int64_t row = first; row != first + atOnce; ++row)
          banks.insert((row * length + s.column(row, column)) / unit % atOnce);
        ASSERT_EQ(banks.size(), size_t(atOnce))
            << "rows of " << length << " by " << unit << " of " << bytes;
      }
  });
}

TEST(Swizzle, OddRowsStayAsTheyAre) {
  EXPECT_EQ(swizzleOf(33, 1, 4).units, 1);
  EXPECT_EQ(swizzleOf(36, 4, 4).units, 1);
  EXPECT_EQ(swizzleOf(36, 4, 4).column(7, 13), 13);
}

TEST(Swizzle, ShortRowsExchangeOnlyEverySoOften) {
  // Four rows of 8 floats cover the banks.
  const Swizzle s = swizzleOf(8, 1, 4);
  EXPECT_EQ(s.units, 8);
  EXPECT_EQ(s.rows, 4);
  EXPECT_EQ(s.column(3, 5), 5);
  EXPECT_EQ(s.column(4, 5), 4);
}

} // namespace
