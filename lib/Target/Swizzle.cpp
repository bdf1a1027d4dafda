//===- Swizzle.cpp - Columns that lie in all banks ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Let B units cover the banks, and let a row have m * q of them, m a power of
// two and q odd, or m = B. Unit u of row r is in bank
//   (m * q * r + (u ^ r / k % m)) % B, where k = B / m,
// which is m * ((q * r + u / m) % k) + (u % m ^ r / k % m): a pair of a
// permutation of r % k and one of r / k % m. Of B successive rows no two agree
// in both.
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Swizzle.h"
#include "convopt/Target/Memory.h"
#include <algorithm>

namespace convopt {

Swizzle swizzleOf(int64_t length, int64_t unit, int64_t bytes) {
  const int64_t all = std::max<int64_t>(1, BankBytes / (unit * bytes));
  const int64_t inRow = length / unit;
  const int64_t units = std::max<int64_t>(1, std::min(all, inRow & -inRow));
  return {unit, units, all / units};
}

} // namespace convopt
