//===- Roofline.cpp - The time that a device needs at least ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Result.h"
#include <algorithm>

namespace convopt::bench {

std::optional<double> rooflineMilliseconds(const StaticFacts &facts,
                                           const Environment &environment) {
  if (environment.ffmaCeiling <= 0 || environment.copyBandwidth <= 0)
    return std::nullopt;
  return 1e3 * std::max(facts.flops / environment.ffmaCeiling,
                        facts.compulsoryBytes / environment.copyBandwidth);
}

} // namespace convopt::bench
