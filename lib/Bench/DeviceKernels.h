//===- DeviceKernels.h - Kernels that measuring itself runs -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_DEVICEKERNELS_H
#define CONVOPT_LIB_BENCH_DEVICEKERNELS_H

namespace convopt::bench {

/// Filling, hashing, comparing, and keeping the device busy, as CUDA text. All
/// but `spin` run with any grid and block of one dimension.
extern const char *const DataKernels;

/// `convopt_ffma<I>`, `convopt_copy<I>`: what the ceilings are measured with.
extern const char *const CeilingKernels;

/// `convopt_convolution`: values and magnitudes of a convolution in the layout
/// of libraries (N C H W, filters K C R S), one output a thread.
extern const char *const ReferenceConvolution;

/// Multiply-adds of a thread of `convopt_ffma<I>` in each of its rounds.
constexpr int FfmaColumns = 8;

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_DEVICEKERNELS_H
