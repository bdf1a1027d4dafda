//===- RoofCheck.cpp - Figures that no device reaches ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace convopt::bench {

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
