//===- Gpu.cpp - Limits of a device ---------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Gpu.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Peak.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace convopt {

/// Of a maker's figures, what kernels reach: measured on an H200. Bandwidth
/// is in whole bytes a cycle.
static constexpr double ReachedBandwidth = 0.87, ReachedCache = 0.8;

/// What differs from one architecture to the next; shared memory in KiB. A
/// block that opts in can use 1 KiB less than the multiprocessor has, which
/// the system reserves, from 8.0 on.
static Gpu makeGpu(const char *name, int64_t threads, int64_t blocks,
                   int64_t sharedOptIn, int64_t shared) {
  Gpu gpu;
  gpu.name = name;
  gpu.threadsPerMultiprocessor = threads;
  gpu.blocksPerMultiprocessor = blocks;
  gpu.sharedPerBlockOptIn = sharedOptIn * 1024;
  gpu.sharedPerMultiprocessor = shared * 1024;
  const Peak &peak =
      *find_if(knownPeaks(), [&](const Peak &p) { return p.arch == gpu.name; });
  gpu.multiprocessors = peak.multiprocessors;
  gpu.memoryBytes = std::round(ReachedBandwidth * peak.bytesPerCycle());
  gpu.cacheBytes = ReachedCache * peak.cacheBytes;
  gpu.deviceBytes = 1000000000 * peak.gigabytes;
  return gpu;
}

ArrayRef<Gpu> knownGpus() {
  static const Gpu gpus[] = {
      makeGpu("sm_70", 2048, 32, 96, 96),
      makeGpu("sm_75", 1024, 16, 64, 64),
      makeGpu("sm_80", 2048, 32, 163, 164),
      makeGpu("sm_86", 1536, 16, 99, 100),
      makeGpu("sm_89", 1536, 24, 99, 100),
      makeGpu("sm_90", 2048, 32, 227, 228),
      makeGpu("sm_100", 2048, 32, 227, 228),
      makeGpu("sm_120", 1536, 24, 99, 100),
  };
  return gpus;
}

Expected<Gpu> findGpu(StringRef arch) {
  std::string known;
  for (const Gpu &gpu : knownGpus()) {
    if (gpu.name == arch)
      return gpu;
    known += (known.empty() ? "" : ", ") + gpu.name;
  }
  return refuse("arch", "unknown architecture '" + arch.str() + "'", {},
                "known are " + known);
}

int64_t threadsOf(const std::array<int64_t, 3> &block) {
  int64_t threads = 1;
  for (int64_t size : block)
    if (MulOverflow(threads, size, threads) || threads > INT32_MAX)
      return INT32_MAX;
  return threads;
}

Error checkBlock(const Gpu &gpu, const std::array<int64_t, 3> &block,
                 SourceRange where) {
  auto check = [&](StringRef what, int64_t threads, int64_t limit) -> Error {
    if (threads <= limit)
      return Error::success();
    return refuse("limit",
                  (what + " would have " + Twine(threads) + " threads, " +
                   gpu.name + " allows " + Twine(limit))
                      .str(),
                  where, "choose smaller values for -tile");
  };
  RETURN_IF_ERROR(check("a block", threadsOf(block), gpu.threadsPerBlock));
  static constexpr StringLiteral names[] = {"block.x", "block.y", "block.z"};
  for (const auto &[name, threads, limit] :
       zip_equal(names, block, gpu.blockDim))
    RETURN_IF_ERROR(check(name, threads, limit));
  return Error::success();
}

} // namespace convopt
