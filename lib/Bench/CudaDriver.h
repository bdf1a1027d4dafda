//===- CudaDriver.h - The CUDA driver's interface ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As much of cuda.h as is used, so that neither building nor running needs a
/// toolkit. Names and values are those of cuda.h.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_CUDADRIVER_H
#define CONVOPT_LIB_BENCH_CUDADRIVER_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace convopt::bench {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;

enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13, // kHz
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,       // kHz
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37, // bits
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
};

enum CUfunction_attribute : int {
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

/// The entry points, as members of the same names.
struct CudaDriver {
#define ENTRY(name, parameters) CUresult(*name) parameters = nullptr;
#include "CudaDriver.def"

  /// Loads libcuda.so.1. Refuses (status Missing) where there is none, or an
  /// older one that lacks something.
  static llvm::Expected<CudaDriver> load();

  /// Success, or \p what with the name and text of \p result (rule "device").
  llvm::Error check(CUresult result, const llvm::Twine &what) const;
};

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_CUDADRIVER_H
