//===- Nvcc.h - Building a launcher with nvcc -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_NVCC_H
#define CONVOPT_LIB_BENCH_NVCC_H

#include "Nvrtc.h"
#include "convopt/Bench/Device.h"

namespace convopt::bench {

/// Calls a launcher: pointers to its arguments, the stream among them; returns
/// its cudaError_t.
using HostLauncher = int (*)(void **);

struct HostLibrary {
  HostLauncher launcher = nullptr;
  PtxasInfo info; // of the entry, where ptxas spoke of it
};

/// Builds the file \p source, with a function that calls its launcher, as a
/// shared library and loads it into this process. Refuses (status Missing)
/// where there is no nvcc, (rule "nvcc") a folder whose name nvcc would hand
/// to a shell, and (rule "compile") what nvcc refuses.
llvm::Expected<HostLibrary> buildWithNvcc(const KernelSource &source,
                                          llvm::StringRef arch);

/// What buildWithNvcc compiles.
std::string hostLibraryText(const KernelSource &source);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_NVCC_H
