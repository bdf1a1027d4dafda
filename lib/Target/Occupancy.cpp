//===- Occupancy.cpp - Warps that a multiprocessor holds ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Occupancy.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace convopt {

/// Units in which registers of a warp, warps and shared bytes are given out.
static constexpr int64_t RegisterUnit = 256, WarpUnit = 4, SharedUnit = 128;

double occupancyOf(const Gpu &gpu, const BlockUse &block) {
  const int64_t warps = divideCeil(block.threads, gpu.warpSize);
  const int64_t most = gpu.threadsPerMultiprocessor / gpu.warpSize;
  int64_t blocks = std::min(gpu.blocksPerMultiprocessor, most / warps);
  if (block.registers > 0) {
    const int64_t ofWarp =
        alignTo(block.registers * gpu.warpSize, RegisterUnit);
    const int64_t held = gpu.registersPerMultiprocessor / ofWarp;
    blocks = std::min(blocks, held / WarpUnit * WarpUnit / warps);
  }
  // What the system keeps of each block's share.
  const int64_t reserved =
      gpu.sharedPerMultiprocessor - gpu.sharedPerBlockOptIn;
  const int64_t shared = alignTo(block.sharedBytes + reserved, SharedUnit);
  if (shared > 0)
    blocks = std::min(blocks, gpu.sharedPerMultiprocessor / shared);
  return double(blocks * warps) / double(most);
}

} // namespace convopt
