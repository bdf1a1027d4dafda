//===- Kernel.h - A kernel and how to launch it -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For those who launch the kernel themselves: its text without host code, and
/// the launch that `<name><suffix>_launch` would make for given sizes.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LOWER_KERNEL_H
#define CONVOPT_LOWER_KERNEL_H

#include "convopt/Lower/Lower.h"
#include "convopt/Program/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace convopt {

/// A kernel as a program, what its text is printed from, and the mapped nest
/// that it runs. That has the checked nest's arrays, and after them those that
/// the launcher takes for several kernels.
struct LoweredKernel {
  Nest nest;
  /// The kernels that pack its buffers. Each has the array and the buffer as
  /// its first parameters.
  std::vector<program::Kernel> packing;
  program::Kernel program;
};

/// What a launch runs, in this order: of sums that blocks share, the kernel of
/// the parts and the one that adds them up. Refuses what emitCuda refuses.
llvm::Expected<std::vector<LoweredKernel>>
lowerKernels(const CheckedNest &nest, const Gpu &gpu,
             const LowerOptions &options);

/// One launch of an emitted kernel; of several, the largest.
struct KernelLaunch {
  /// The kernel with its template arguments: `conv_tiled_kernel<int, float>`.
  std::string entry;
  /// The launcher with its own: `conv_tiled_launch<float>`.
  std::string launcher;
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  int64_t nearlyFull = 1; // blocks with three quarters of their outputs
  int64_t dynamicSharedBytes = 0;
  /// "map=b_s,stream:3" and the like: the loops of launches around it, which
  /// the launcher runs; empty where one launch is all.
  std::vector<std::string> hostLoops = {};
};

/// The launch for \p values, one for each parameter by id, with definitions
/// evaluated. \p templateArguments spells the function's template arguments
/// in their order. Refuses (rule "limit") a grid that \p gpu cannot launch
/// and sizes that the kernel's int does not hold, and (rule "Mapping") a nest
/// that is not mapped.
llvm::Expected<KernelLaunch>
launchOf(const Nest &mapped, const Gpu &gpu, const LowerOptions &options,
         llvm::ArrayRef<int64_t> values,
         llvm::ArrayRef<std::string> templateArguments);

/// What sizes satisfy where copies of \p mapped move vectors or boxes, pointers
/// being aligned: the launcher takes another instance of the kernel elsewhere.
/// Empty where sizes decide nothing.
std::vector<Constraint> alignmentOf(const Nest &mapped);

/// Whether sizes and bounds of \p nest mean what they say only where \p fact is
/// not negative, or zero: the launcher asks for that before it sees whether
/// there is something to compute.
bool isAboutDomain(const Nest &nest, const IndexExpr &fact);

/// Elements of \p array that the nest may touch: its footprint, or the product
/// of its extents; none where an extent is negative or that leaves 64 bits.
std::optional<int64_t> elementsOf(const Array &array,
                                  llvm::ArrayRef<int64_t> values);

} // namespace convopt

#endif // CONVOPT_LOWER_KERNEL_H
