//===- ThreadPartition.cpp - Which thread copies what ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadPartition.h"
#include "convopt/Target/Memory.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::lower {

/// Elements of four bytes that memory is read by.
static constexpr int64_t ColumnsOfSector = SectorBytes / 4;

program::Expr threadOf(const Mapping &m, ArrayRef<unsigned> dimensions) {
  program::Expr number;
  int64_t stride = 1;
  for (unsigned d : dimensions) {
    if (m.blockDim[d] == 1)
      continue;
    program::Expr along = program::Expr(stride) * program::threadIndex(d);
    number = number ? number + along : along;
    stride *= m.blockDim[d];
  }
  return number;
}

int64_t threadCount(const Mapping &m, ArrayRef<unsigned> dimensions) {
  int64_t count = 1;
  for (unsigned d : dimensions)
    count *= m.blockDim[d];
  return count;
}

int64_t turns(const ThreadPartition &partition, int64_t columns, int64_t rows) {
  return divideCeil(uint64_t(columns), uint64_t(partition.across)) *
         divideCeil(uint64_t(rows), uint64_t(partition.down()));
}

ThreadPartition partitionThreads(int64_t threads, int64_t alongX,
                                 int64_t columns, int64_t rows) {
  auto bestFrom = [&](int64_t least) {
    ThreadPartition best{threads, least};
    for (int64_t across = least + 1; across <= std::min(columns, threads);
         ++across) {
      ThreadPartition partition{threads, across};
      if (turns(partition, columns, rows) <= turns(best, columns, rows))
        best = partition;
    }
    return best;
  };
  // Fewer would read a part of each sector of memory.
  const int64_t wide = std::min(columns, ColumnsOfSector);
  ThreadPartition best = bestFrom(1);
  if (alongX > 1 && best.across == 1 && columns > ColumnsOfSector)
    best = bestFrom(std::min(wide, threads));
  ThreadPartition byX{threads, alongX};
  bool isGood = 4 * turns(byX, columns, rows) <= 5 * turns(best, columns, rows);
  return alongX > 1 && isGood && alongX >= wide ? byX : best;
}

} // namespace convopt::lower
