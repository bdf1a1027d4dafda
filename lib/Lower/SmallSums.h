//===- SmallSums.h - Sums of integers that overflow nowhere -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_SMALLSUMS_H
#define CONVOPT_LIB_LOWER_SMALLSUMS_H

#include "convopt/Nest/Nest.h"

namespace convopt::lower {

/// Whether \p s, of \p nest, computes with integers of 16 bits or less, and in
/// int stays within it whatever these are: its terms do, and so do as many of
/// them as loops of constant length add to its target, an array of one thread.
/// `d += abs(a[x + i] - b[i])` of bytes does for 16 x 16 terms, and no product
/// of two shorts does.
bool staysSmall(const Nest &nest, const Statement &s);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_SMALLSUMS_H
