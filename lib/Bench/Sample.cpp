//===- Sample.cpp - Enough times, and no more -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Sample.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

/// The value below which the share \p q of \p sorted lies, interpolated.
static double quantile(ArrayRef<double> sorted, double q) {
  const double at = q * double(sorted.size() - 1);
  const size_t below = size_t(at);
  if (below + 1 >= sorted.size())
    return sorted.back();
  return sorted[below] +
         (at - double(below)) * (sorted[below + 1] - sorted[below]);
}

static constexpr size_t FewSamples = 5;

Timing summarize(ArrayRef<double> times) {
  Timing timing;
  timing.samples = unsigned(times.size());
  if (times.empty())
    return timing;
  std::vector<double> sorted(times.begin(), times.end());
  llvm::sort(sorted);
  timing.minimum = sorted.front();
  timing.median = quantile(sorted, 0.5);
  // Of few times the quartiles lie between the ends: they would flatter.
  const double distance = sorted.size() < FewSamples
                              ? sorted.back() - sorted.front()
                              : quantile(sorted, 0.75) - quantile(sorted, 0.25);
  timing.spread = timing.median > 0 ? distance / 2 / timing.median : 0;
  return timing;
}

Expected<Timing> sample(function_ref<Expected<double>()> once,
                        function_ref<double()> now,
                        const SampleOptions &options) {
  std::vector<double> times;
  const double end = now() + options.seconds;
  while (true) {
    ASSIGN_OR_RETURN(double time, once());
    times.push_back(time);
    Timing timing = summarize(times);
    if (times.size() >= options.stableAfter && timing.spread < options.spread) {
      timing.stop = Timing::Stop::Stable;
      return timing;
    }
    if ((times.size() >= options.atLeast && now() >= end) ||
        times.size() >= options.atMost) {
      timing.stop = Timing::Stop::TimeLimit;
      return timing;
    }
  }
}

} // namespace convopt::bench
