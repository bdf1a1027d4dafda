//===- Figures.cpp - What follows from a measured row ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Report.h"
#include "convopt/Target/Occupancy.h"

using namespace llvm;

namespace convopt::bench {

/// The timing that speeds are of.
static const Timing *timingOf(const Row &row) {
  if (row.status != Row::Status::Measured)
    return nullptr;
  return row.cold ? &*row.cold : row.warm ? &*row.warm : nullptr;
}

/// How many times faster \p row is than the row called \p kernel of the same
/// shape, in the same mode.
static std::optional<double> over(const Row &row, const Report &report,
                                  StringRef kernel) {
  auto other = find_if(report.rows, [&](const Row &r) {
    return r.kernel == kernel && r.shape == row.shape && r.sizes == row.sizes;
  });
  const Timing *mine = timingOf(row);
  if (!mine || other == report.rows.end() ||
      other->status != Row::Status::Measured)
    return std::nullopt;
  const auto &theirs = row.cold ? other->cold : other->warm;
  if (!theirs || mine->median <= 0)
    return std::nullopt;
  return theirs->median / mine->median;
}

/// What limits the occupancy of \p facts on \p environment's architecture.
static std::string limiterOf(const StaticFacts &facts,
                             const Environment &environment) {
  const std::optional<Gpu> gpu = expectedToOptional(findGpu(environment.arch));
  if (!gpu || !facts.threadsPerBlock || !facts.registers || !facts.sharedBytes)
    return "";
  return occupancyLimiter(*gpu, {*facts.threadsPerBlock, *facts.registers,
                                 *facts.sharedBytes})
      .str();
}

Figures figuresOf(const Row &row, const Report &report) {
  Figures f;
  f.limiter = limiterOf(row.facts, report.environment);
  const Timing *timing = timingOf(row);
  if (!timing || timing->median <= 0)
    return f;
  const Environment &e = report.environment;
  const double seconds = timing->median / 1e3;
  f.milliseconds = timing->median;
  f.flopsPerSecond = row.facts.flops / seconds;
  f.bytesPerSecond = row.facts.compulsoryBytes / seconds;
  if (e.ffmaCeiling > 0 && !e.elementType)
    f.ofCeiling = *f.flopsPerSecond / e.ffmaCeiling;
  if (e.copyBandwidth > 0)
    f.ofCopy = *f.bytesPerSecond / e.copyBandwidth;
  if (auto least = rooflineMilliseconds(row.facts, e))
    f.ofRoofline = *least / timing->median;
  f.overNaive = over(row, report, NaiveKernel);
  f.overCudnn = over(row, report, CudnnKernel);
  return f;
}

StringRef str(Row::Status status) {
  switch (status) {
  case Row::Status::Measured:
    return "measured";
  case Row::Status::Static:
    return "not run";
  case Row::Status::Wrong:
    return "wrong";
  case Row::Status::AboveRoof:
    return "above roof";
  case Row::Status::Failed:
    return "failed";
  }
  llvm_unreachable("a status is one of these");
}

std::optional<Roof> roofOf(const StaticFacts &facts,
                           const Environment &environment) {
  if (environment.elementType) // the ceilings are those of float
    return std::nullopt;
  Roof roof;
  double peak = environment.ffmaCeiling;
  double bandwidth = environment.copyBandwidth;
  if (peak <= 0 || bandwidth <= 0) {
    peak = environment.nominalPeak;
    bandwidth = environment.nominalBandwidth;
    roof.isNominal = true;
  }
  if (peak <= 0 || bandwidth <= 0)
    return std::nullopt;
  const double arithmetic = facts.flops / peak;
  const double memory = facts.compulsoryBytes / bandwidth;
  roof.isArithmetic = arithmetic >= memory;
  roof.milliseconds = 1e3 * std::max(arithmetic, memory);
  return roof;
}

std::optional<double> rooflineMilliseconds(const StaticFacts &facts,
                                           const Environment &environment) {
  std::optional<Roof> roof = roofOf(facts, environment);
  if (!roof || roof->isNominal)
    return std::nullopt;
  return roof->milliseconds;
}

} // namespace convopt::bench
