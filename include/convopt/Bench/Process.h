//===- Process.h - A job in a process of its own ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_PROCESS_H
#define CONVOPT_BENCH_PROCESS_H

#include "convopt/Bench/Job.h"

namespace convopt::bench {

/// Runs `PROGRAM -run-job=FILE -outcome=FILE` for at most \p seconds and reads
/// what it found. A crash, the time limit, and files or a process that could
/// not be made are a failed row with its reason.
Outcome runInProcess(const Job &job, llvm::StringRef program, unsigned seconds);

/// The other side: reads the job in \p jobFile, does it, and writes the
/// outcome to \p outcomeFile.
llvm::Error runJobFile(llvm::StringRef jobFile, llvm::StringRef outcomeFile);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_PROCESS_H
