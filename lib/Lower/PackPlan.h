//===- PackPlan.h - Which places of a buffer a thread fills -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_PACKPLAN_H
#define CONVOPT_LIB_LOWER_PACKPLAN_H

#include "convopt/Nest/StorageMap.h"

namespace convopt::lower {

/// Threads of a block that packs a buffer.
constexpr int PackThreads = 256;

/// A digit of the number that a place of a buffer in storage has.
struct PackDigit : StorageDigit {
  int64_t turns = 1; // how many of its values, in a row, a thread has

  /// How many it has; none where sizes tell.
  std::optional<int64_t> known() const { return count.asConstant(); }
};

/// The places of a buffer as a matrix in storage. A thread has a column, whose
/// coordinates it computes once, and several rows of it, so that what it reads
/// is on its way at the same time, and is near each other where windows are.
struct PackPlan {
  std::vector<PackDigit> rows, columns; // the slowest first

  /// How many columns there are, where an int counts them and those that the
  /// last block lacks.
  std::optional<int64_t> constantColumns() const;
};

/// The rows are as long as a block has threads, or everything is one row; sizes
/// that are not known count as 1. The rows of a thread are so many as hide
/// where a column is, where there are as many.
PackPlan packPlan(const Nest &nest, const Array &buffer);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_PACKPLAN_H
