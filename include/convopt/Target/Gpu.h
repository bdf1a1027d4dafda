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

#include "convopt/Target/Shuffle.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>

namespace convopt {

/// Limits of one architecture; sizes in bytes, registers of 32 bits.
struct Gpu {
  std::string name; // "sm_90"
  int64_t threadsPerBlock = 1024;
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
  // Fitted to sm_90, and taken for the others: the second-level cache's bytes a
  // cycle, and cycles until a block's first copies have arrived and its last
  // outputs left, of copies that nothing hides, and of a barrier.
  int64_t schedulers = 4; // of a multiprocessor
  double fromCacheBytes = 40;
  double blockLatency = 1000, copyLatency = 800, barrierLatency = 150;

  /// That the device holds at once.
  int64_t threads() const { return multiprocessors * threadsPerMultiprocessor; }
};

/// The device that `-arch=` names ("sm_80", "sm_90", ...); refuses an unknown
/// name with the list of known ones.
llvm::Expected<Gpu> findGpu(llvm::StringRef arch);

/// Every architecture that findGpu knows, oldest first.
llvm::ArrayRef<Gpu> knownGpus();

} // namespace convopt

#endif // CONVOPT_TARGET_GPU_H
