//===- Swizzle.h - Columns that lie in all banks ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TARGET_SWIZZLE_H
#define CONVOPT_TARGET_SWIZZLE_H

#include <cstdint>

namespace convopt {

/// Where the elements of a row lie: that of column c, in row r, at column
/// `c ^ unit * (r / rows % units)`. Rows keep their elements, and units stay
/// together.
struct Swizzle {
  int64_t unit = 1;  // elements; a power of two
  int64_t units = 1; // that change places with one another, a power of two
  int64_t rows = 1;  // after which the next exchange begins, a power of two

  int64_t column(int64_t row, int64_t column) const {
    return column ^ (unit * (row / rows % units));
  }
};

/// The swizzle by \p unit elements, a power of two that divides the \p length
/// of rows, of elements of \p bytes. Rows lie one behind the other. Of any
/// column, the units of as many successive rows as units cover the 32 banks of
/// shared memory lie in different banks. Rows of an odd number of units do
/// without: their swizzle has one unit.
Swizzle swizzleOf(int64_t length, int64_t unit, int64_t bytes);

} // namespace convopt

#endif // CONVOPT_TARGET_SWIZZLE_H
