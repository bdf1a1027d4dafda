//===- RecordLaunch.h - What a launcher would start -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_RECORDLAUNCH_H
#define CONVOPT_LIB_BENCH_RECORDLAUNCH_H

#include "CudaDriver.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace convopt::bench {

/// A kernel as a launcher would start it.
struct RecordedLaunch {
  CUfunction function = nullptr;
  std::array<int64_t, 3> block{1, 1, 1};
  int64_t dynamicSharedBytes = 0;
};

/// Has \p launch start its work on a stream that only records it, and finds
/// the kernel whose name contains \p name among what was recorded, or else the
/// one of the most threads. Nothing runs. Refuses (rule "device") where the
/// driver cannot record, or where nothing was started.
llvm::Expected<RecordedLaunch>
recordLaunch(const CudaDriver &cuda, llvm::StringRef name,
             llvm::function_ref<llvm::Error(CUstream)> launch);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_RECORDLAUNCH_H
