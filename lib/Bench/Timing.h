//===- Timing.h - A row's time, and whether it can be -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_TIMING_H
#define CONVOPT_LIB_BENCH_TIMING_H

#include "convopt/Bench/Device.h"
#include "convopt/Bench/Job.h"
#include "convopt/Bench/Result.h"

namespace convopt::bench {

/// Times \p work after a warm-up. Reasons why the clocks were held down while
/// it ran are added to \p throttling, each once. \p lastRun is how many seconds
/// it took just before: that warms up as well, and where it is longer than
/// \p seconds, one sample has to do.
llvm::Expected<Timing> timeWork(Device &device, bool cold, double seconds,
                                llvm::function_ref<llvm::Error()> work,
                                std::vector<std::string> &throttling,
                                double lastRun = 0);

/// Makes \p row AboveRoof where it passes a ceiling of \p job, by more than
/// chance allows: that of arithmetic (unless \p isTransform: less arithmetic
/// than is counted) or, where cold, of memory. What is written may still be in
/// the cache, of \p l2Bytes, when the kernel ends, and is not counted as far.
/// A time that is none, or not positive, makes it Failed.
void checkRoofs(Row &row, const Job &job, bool isTransform, double outputBytes,
                double l2Bytes);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_TIMING_H
