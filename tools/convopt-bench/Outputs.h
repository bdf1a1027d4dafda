//===- Outputs.h - Where results go -----------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_OUTPUTS_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_OUTPUTS_H

#include "Options.h"
#include "convopt/Bench/Report.h"

namespace convopt {

/// Refuses, before anything is measured, outputs that cannot be written, that
/// are one of the files that \p options read, or that are given twice.
llvm::Error checkOutputs(const Options &options);

/// Writes \p report to each of \p paths that it can; the error is of those that
/// it cannot.
llvm::Error writeOutputs(const bench::Report &report,
                         llvm::ArrayRef<std::string> paths);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_OUTPUTS_H
