//===- Gpu.h - Limits of a device -------------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a compute capability allows (CUDA C++ Programming Guide, appendix
/// "Compute Capabilities"), as a plain struct.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TARGET_GPU_H
#define CONVOPT_TARGET_GPU_H

#include "convopt/Support/SourceRange.h"
#include "convopt/Target/Shuffle.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// What the estimate of kernels that compute a sum as it stands adds to
/// instructions (TileCost). In cycles, fitted to layers on an H200, and taken
/// for the other devices.
struct DirectTimes {
  double block = 1000; // until its first copies have come and outputs are gone
  double copy = 800;   // that nothing hides
  double barrier = 150;
  double sector = 0.3;    // that a store touches
  double line = 5;        // that stores touch again, on the way to memory
  double constants = 36000; // a launch that fills constant memory
  double packed = 18000;    // of that, what one that packs takes as well
  double rest = 4000;     // that is lacking beside products, by 128 layers
  double readsAtOnce = 4; // of global memory, that a thread waits for together
  // Parts of the instructions' time: of few warps, as many for each scheduler
  // being enough, and of blocks that wait as one.
  double fewWarps = 0.14, enoughWarps = 3, fewBlocks = 0.1;
  // Of the time of the port of shared memory, alone and beside constants, and
  // of the shorter of sums and traffic.
  double port = 0.42, portBesideConstants = 0.2, overlap = 0.2;
};

/// The same of products (ProductModel): in cycles, fitted to 458 kernels of 29
/// layers on an H200 (docs/results/2026-11-27-h200-pairs.md).
struct ProductTimes {
  double block = 900, stage = 40;
  double output = 0.63, vectorOutput = 0.35; // each that is stored; by vectors
  double matrix = 1400;                      // a kernel that stores a matrix
  double pack = 10000;                       // one that packs the filter
  // By 378 kernels whose blocks share sums: one more kernel, each part, which
  // its threads read one by one, and an output's part, through memory.
  double sum = 8000, part = 200, partOfOutput = 0.5;
  double wavefronts = 2; // of a vector from shared memory, and as many more
                         // where no neighbours read the same one
  double overlap = 2.3;  // power, of multiply-adds and these reads
  // Of the time, with three warps for each scheduler, by how many there are.
  double fewWarps = 0.11, fewWarpsPower = 1.7;
};

/// The most threads that a block has on any device.
inline constexpr int64_t MaxThreadsPerBlock = 1024;

/// Limits of one architecture; sizes in bytes, registers of 32 bits.
struct Gpu {
  std::string name; // "sm_90"
  int64_t threadsPerBlock = MaxThreadsPerBlock;
  std::array<int64_t, 3> blockDim{1024, 1024, 64};
  std::array<int64_t, 3> gridDim{2147483647, 65535, 65535};
  int64_t registersPerThread = 255;
  int64_t registersPerBlock = 65536;
  int64_t registersPerMultiprocessor = 65536;
  int64_t threadsPerMultiprocessor = 2048;
  int64_t blocksPerMultiprocessor = 32;
  int64_t sharedPerBlock = 49152; // without opting in
  int64_t sharedPerBlockOptIn = 0;
  int64_t sharedPerMultiprocessor = 0;
  int64_t constantBytes = 65536;
  int64_t warpSize = WarpSize;

  // What estimates of time and memory count with: of the device that stands for
  // the architecture (Peak.h).
  int64_t multiprocessors = 0;
  double memoryBytes = 0; // a cycle, of a multiprocessor, that are reached
  double cacheBytes = 0;  // of the second-level cache, that stay there
  int64_t deviceBytes = 0; // of its memory
  int64_t schedulers = 4; // of a multiprocessor
  // Of the second-level cache, a cycle: fitted to sm_90, as times are.
  double fromCacheBytes = 40;
  DirectTimes direct;
  ProductTimes product;

  /// That the device holds at once.
  int64_t threads() const { return multiprocessors * threadsPerMultiprocessor; }
};

/// The device that `-arch=` names ("sm_80", "sm_90", ...); refuses an unknown
/// name with the list of known ones.
llvm::Expected<Gpu> findGpu(llvm::StringRef arch);

/// The threads of a block of these along x, y and z; no more than an int holds.
int64_t threadsOf(const std::array<int64_t, 3> &block);
/// Refuses (rule "limit") a \p block of threads along x, y and z that \p gpu
/// cannot run, at \p where.
llvm::Error checkBlock(const Gpu &gpu, const std::array<int64_t, 3> &block,
                       SourceRange where);

/// Every architecture that findGpu knows, oldest first.
llvm::ArrayRef<Gpu> knownGpus();

} // namespace convopt

#endif // CONVOPT_TARGET_GPU_H
