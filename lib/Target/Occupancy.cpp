//===- Occupancy.cpp - Warps that a multiprocessor holds ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Occupancy.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

/// Units in which registers of a warp, warps and shared bytes are given out.
static constexpr int64_t RegisterUnit = 256, WarpUnit = 4, SharedUnit = 128;

static int64_t warpsOf(const Gpu &gpu, const BlockUse &block) {
  return divideCeil(block.threads, gpu.warpSize);
}

static int64_t mostWarps(const Gpu &gpu) {
  return gpu.threadsPerMultiprocessor / gpu.warpSize;
}

namespace {
/// How many blocks are resident, and what allows no more.
struct Residence {
  int64_t blocks;
  StringRef limiter;
};
} // namespace

static Residence residenceOf(const Gpu &gpu, const BlockUse &block) {
  const int64_t warps = warpsOf(gpu, block);
  std::vector<Residence> limits;
  if (block.registers > 0) {
    const int64_t ofWarp =
        alignTo(block.registers * gpu.warpSize, RegisterUnit);
    const int64_t held = gpu.registersPerMultiprocessor / ofWarp;
    limits.push_back({held / WarpUnit * WarpUnit / warps, "registers"});
  }
  // What the system keeps of each block's share.
  const int64_t reserved =
      gpu.sharedPerMultiprocessor - gpu.sharedPerBlockOptIn;
  const int64_t shared = alignTo(block.sharedBytes + reserved, SharedUnit);
  if (shared > 0)
    limits.push_back({gpu.sharedPerMultiprocessor / shared, "shared memory"});
  limits.push_back({mostWarps(gpu) / warps, "threads"});
  limits.push_back({gpu.blocksPerMultiprocessor, "blocks"});
  return *std::min_element(limits.begin(), limits.end(),
                           [](const Residence &a, const Residence &b) {
                             return a.blocks < b.blocks;
                           });
}

int64_t residentBlocks(const Gpu &gpu, const BlockUse &block) {
  return residenceOf(gpu, block).blocks;
}

double occupancyOf(const Gpu &gpu, const BlockUse &block) {
  return double(residentBlocks(gpu, block) * warpsOf(gpu, block)) /
         double(mostWarps(gpu));
}

StringRef occupancyLimiter(const Gpu &gpu, const BlockUse &block) {
  const Residence r = residenceOf(gpu, block);
  return r.blocks * warpsOf(gpu, block) == mostWarps(gpu) ? "" : r.limiter;
}

} // namespace convopt
