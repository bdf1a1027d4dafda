//===- Sample.h - Enough times, and no more ---------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_SAMPLE_H
#define CONVOPT_BENCH_SAMPLE_H

#include "convopt/Bench/Result.h"
#include "llvm/Support/Error.h"

namespace convopt::bench {

struct SampleOptions {
  double spread = 0.01;     // stable at this
  unsigned stableAfter = 7; // samples, at least
  unsigned atLeast = 3;     // samples, whatever the time
  unsigned atMost = 1000;
  double seconds = 3; // time limit
};

/// Median, spread and minimum of \p times; `stop` is left as it is.
Timing summarize(llvm::ArrayRef<double> times);

/// Calls \p once, which gives milliseconds, until the spread is small or the
/// time of \p now is up; says which.
llvm::Expected<Timing> sample(llvm::function_ref<llvm::Expected<double>()> once,
                              llvm::function_ref<double()> now,
                              const SampleOptions &options);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_SAMPLE_H
