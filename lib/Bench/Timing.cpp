//===- Timing.cpp - Warm up and sample ------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "convopt/Bench/Sample.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::bench {

/// Milliseconds and runs after which a kernel counts as warmed up.
static constexpr double WarmUpMilliseconds = 30;
static constexpr int WarmUpRuns = 20;

Expected<Timing> timeWork(Device &device, bool cold, double seconds,
                          function_ref<Error()> work,
                          std::vector<std::string> &throttling,
                          double lastRun) {
  auto once = [&] { return device.time(cold, work); };
  double spent = lastRun * 1e3;
  for (int k = 0; k != WarmUpRuns && spent < WarmUpMilliseconds; ++k) {
    Expected<double> time = once();
    if (!time)
      return time.takeError();
    spent += *time;
  }
  SampleOptions options;
  options.seconds = seconds;
  if (lastRun > seconds)
    options.atLeast = 1;
  Expected<Timing> timing =
      sample(once, [&] { return device.seconds(); }, options);
  const std::string reasons = device.clocks().throttling;
  if (!reasons.empty() && !is_contained(throttling, reasons))
    throttling.push_back(reasons);
  return timing;
}

} // namespace convopt::bench
