//===- LaunchRules.h - What a device refuses to launch ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A driver's checks of a launch, for a device that is simulated: they need
/// the kernel's text and no GPU.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_LAUNCHRULES_H
#define CONVOPT_LIB_BENCH_LAUNCHRULES_H

#include "convopt/Bench/Device.h"
#include "convopt/Target/Gpu.h"

namespace convopt::bench {

/// What a kernel's declaration says of its launches.
struct KernelHead {
  std::optional<int64_t> maxThreads; // __launch_bounds__
  size_t parameters = 0;
};

/// The declaration of the kernel \p entry, template arguments apart, in
/// \p code; none where there is no such kernel.
std::optional<KernelHead> findKernelHead(llvm::StringRef code,
                                         llvm::StringRef entry);

/// Why \p gpu does not launch a kernel with this \p head, none where its text
/// is not known, that was given \p sharedBytes of dynamic shared memory when
/// it was loaded; empty where it does.
std::string refusalOfLaunch(const Gpu &gpu,
                            const std::optional<KernelHead> &head,
                            int64_t sharedBytes, const Launch &launch);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_LAUNCHRULES_H
