//===- Occupancy.h - Warps that a multiprocessor holds ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TARGET_OCCUPANCY_H
#define CONVOPT_TARGET_OCCUPANCY_H

#include "convopt/Target/Gpu.h"

namespace convopt {

/// What one block of a compiled kernel takes.
struct BlockUse {
  int64_t threads = 1;
  int64_t registers = 0;   // of a thread
  int64_t sharedBytes = 0; // static and dynamic
};

/// Blocks that are resident on a multiprocessor of \p gpu, by the rules of the
/// CUDA Occupancy Calculator; 0 where not one fits.
int64_t residentBlocks(const Gpu &gpu, const BlockUse &block);

/// The warps of those, of the warps possible (0..1).
double occupancyOf(const Gpu &gpu, const BlockUse &block);

/// What keeps more blocks from being resident: "registers", "shared memory",
/// "threads" or "blocks"; of several that do equally, the first of these. Empty
/// if the occupancy is full.
llvm::StringRef occupancyLimiter(const Gpu &gpu, const BlockUse &block);

} // namespace convopt

#endif // CONVOPT_TARGET_OCCUPANCY_H
