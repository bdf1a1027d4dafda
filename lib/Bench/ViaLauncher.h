//===- ViaLauncher.h - Kernels that their launcher runs ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_VIALAUNCHER_H
#define CONVOPT_LIB_BENCH_VIALAUNCHER_H

#include "convopt/Bench/Job.h"
#include "convopt/Lower/Kernel.h"

namespace convopt::bench {

/// Has \p spec, of \p mapped, measured through its launcher where that does
/// more than one launch: fills buffers, makes tensor maps, or runs loops of
/// launches.
void useLauncher(const Nest &mapped, const KernelLaunch &launch,
                 KernelSpec &spec);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_VIALAUNCHER_H
