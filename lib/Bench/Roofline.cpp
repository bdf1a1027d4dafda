//===- Roofline.cpp - The time that a device needs at least ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Result.h"
#include <algorithm>

namespace convopt::bench {

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
