//===- Timing.cpp - Warm up, sample, and compare with roofs ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "convopt/Bench/Sample.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace convopt::bench {

/// Milliseconds and runs after which a kernel counts as warmed up.
static constexpr double WarmUpMilliseconds = 30;
static constexpr int WarmUpRuns = 20;

namespace {

/// What a device does while samples are taken.
class Watch {
public:
  Watch(Device &device, std::vector<std::string> &throttling)
      : device(device), throttling(throttling) {}

  /// A sample; clocks are read once in a while.
  Expected<double> time(bool cold, function_ref<Error()> work) {
    const bool reads = !lastRead || device.seconds() >= *lastRead + ReadEvery;
    Clocks during;
    Expected<double> time = device.time(cold, work, reads ? &during : nullptr);
    if (!time)
      return time;
    leastOverrun =
        std::min(leastOverrun.value_or(device.overrun()), device.overrun());
    if (reads) {
      lastRead = device.seconds();
      if (during.now && (lowest == 0 || during.now < lowest))
        lowest = during.now;
      if (!during.throttling.empty() &&
          !is_contained(reasons, during.throttling))
        reasons.push_back(during.throttling);
    }
    return time;
  }

  /// Refuses a time that does not hold all of the work.
  Error finish(Timing &timing) {
    if (lowest)
      timing.smClock = lowest;
    if (!reasons.empty())
      timing.throttling = join(reasons, ", ");
    for (const std::string &reason : reasons)
      if (!is_contained(throttling, reason))
        throttling.push_back(reason);
    if (*leastOverrun <= std::max(LeastOverrun, OverrunShare * timing.median))
      return Error::success();
    return refuse(
        "device",
        formatv("the device goes on for {0:f3} ms after the end of the launch, "
                "whose time is {1:f3} ms: the time does not hold all of the "
                "work",
                *leastOverrun, timing.median)
            .str(),
        {}, "start every kernel on the stream that the launcher is given");
  }

private:
  static constexpr double ReadEvery = 0.02; // seconds
  /// What waiting for an idle device takes at most, in milliseconds and of the
  /// time measured.
  static constexpr double LeastOverrun = 0.05, OverrunShare = 0.05;

  Device &device;
  std::vector<std::string> &throttling;
  std::optional<double> lastRead;
  std::optional<double> leastOverrun;
  int lowest = 0;
  std::vector<std::string> reasons;
};

} // namespace

Expected<Timing> timeWork(Device &device, bool cold, double seconds,
                          function_ref<Error()> work,
                          std::vector<std::string> &throttling,
                          double lastRun) {
  double spent = lastRun * 1e3;
  for (int k = 0; k != WarmUpRuns && spent < WarmUpMilliseconds; ++k) {
    ASSIGN_OR_RETURN(double time, device.time(cold, work));
    spent += time;
  }
  SampleOptions options;
  options.seconds = seconds;
  if (lastRun > seconds)
    options.atLeast = 1;
  Watch watch(device, throttling);
  Expected<Timing> timing = sample([&] { return watch.time(cold, work); },
                                   [&] { return device.seconds(); }, options);
  if (timing)
    RETURN_IF_ERROR(watch.finish(*timing));
  return timing;
}

/// How far above a measured ceiling a figure may come by chance.
static constexpr double RoofTolerance = 1.03;

static void check(Row &row, const Timing &t, double work, double roof,
                  const char *unit) {
  const double rate = work / (t.median * 1e-3);
  if (row.status != Row::Status::Measured || roof <= 0 ||
      rate <= roof * RoofTolerance)
    return;
  row.status = Row::Status::AboveRoof;
  row.reason = formatv("{0:f2} {1} is above the ceiling of {2:f2}",
                       rate * 1e-12, unit, roof * 1e-12)
                   .str();
}

void checkRoofs(Row &row, const Job &job, bool isTransform, double outputBytes,
                double l2Bytes) {
  for (const std::optional<Timing> *timing : {&row.cold, &row.warm}) {
    if (!*timing)
      continue;
    if (!std::isfinite((*timing)->median) || (*timing)->median <= 0) {
      row.status = Row::Status::Failed;
      row.reason = "a time of " + std::to_string((*timing)->median) +
                   " ms was measured, which cannot be";
      return;
    }
    if (!isTransform)
      check(row, **timing, job.facts.flops, job.ffmaCeiling, "TFLOP/s");
  }
  if (row.cold)
    check(row, *row.cold,
          job.facts.compulsoryBytes - std::min(outputBytes, l2Bytes),
          job.copyBandwidth, "TB/s");
}

} // namespace convopt::bench
