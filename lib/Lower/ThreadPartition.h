//===- ThreadPartition.h - Which thread copies what -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_THREADPARTITION_H
#define CONVOPT_LIB_LOWER_THREADPARTITION_H

#include "Mapping.h"
#include "Names.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace convopt::lower {

/// `threadIdx.x + 32 * threadIdx.y`, over \p dimensions of the block; none
/// where there is one thread.
program::Expr threadOf(const Mapping &m, llvm::ArrayRef<unsigned> dimensions);
int64_t threadCount(const Mapping &m, llvm::ArrayRef<unsigned> dimensions);

/// How the threads of a block stand before the rows of a box: so many
/// neighbours go through a row together, and as many rows are gone through at
/// once as there are threads for. A thread's place in the row does not change
/// from row to row, so what depends on it is computed once.
struct ThreadPartition {
  int64_t threads = 1; // of the block
  int64_t across = 1;  // of them to a row

  int64_t down() const { return threads / across; }
  int64_t idle() const { return threads - down() * across; }
};

/// The partition by which the least time passes until \p rows of \p columns
/// each are gone through: that with \p alongX threads a row, as their
/// coordinates need no division, unless it takes a quarter longer or these read
/// less than a sector of memory.
ThreadPartition partitionThreads(int64_t threads, int64_t alongX,
                                 int64_t columns, int64_t rows);

/// How often a thread comes to copy something.
int64_t turns(const ThreadPartition &partition, int64_t columns, int64_t rows);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_THREADPARTITION_H
