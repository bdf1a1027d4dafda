//===- BankConflicts.h - What a warp's read of shared memory takes -*-C++-*-==//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_BANKCONFLICTS_H
#define CONVOPT_LIB_SCHEDULE_BANKCONFLICTS_H

#include "llvm/ADT/ArrayRef.h"

namespace convopt {

/// A read of shared memory by all threads of a warp, the first of its block.
struct WarpRead {
  /// Threads of the block along x, y and z, and those that share a sum, the
  /// slowest; and the bytes from one to the next.
  std::array<int64_t, 4> threads{1, 1, 1, 1}, strides{};
  int64_t bytes = 16; // that a thread reads at once: 4 .. 16
};

/// Cycles of shared memory's port: a cycle serves the 32 banks once, to as many
/// threads as take 128 bytes. Threads that read the same place share it.
int64_t wavefronts(const WarpRead &r);

/// Bytes from one place of a buffer to the next, by dimension, of elements of
/// \p size bytes: \p dims is its storage order, of which the last has rows of
/// \p length places.
llvm::SmallVector<int64_t, 8> bytesApart(llvm::ArrayRef<unsigned> dims,
                                         llvm::ArrayRef<int64_t> extents,
                                         int64_t length, int64_t size);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_BANKCONFLICTS_H
