//===- Bench.h - One run of convopt-bench -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_BENCH_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_BENCH_H

#include "Options.h"
#include "convopt/Support/Refusal.h"

namespace convopt {

/// Measures everything, writes the results and gives the exit status. An error
/// is one before anything was measured, or of writing.
llvm::Expected<ExitStatus> runBench(const Options &options,
                                    const std::string &ownPath);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_BENCH_H
