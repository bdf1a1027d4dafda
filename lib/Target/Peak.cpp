//===- Peak.cpp - What devices can do at most, by their makers ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Peak.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

ArrayRef<Peak> knownPeaks() {
  // NVIDIA's architecture white papers (Volta, Turing, Ampere GA100 and GA102,
  // Ada, Hopper, Blackwell) and data sheets: multiprocessors, FP32 cores of
  // each, boost clock, memory bandwidth, second-level cache, memory.
  static constexpr Peak peaks[] = {
      {"V100", "sm_70", 80, 64, 1530, 0.900e12, 6e6, 32}, // SXM2
      {"T4", "sm_75", 40, 64, 1590, 0.320e12, 4e6, 16},
      {"A100", "sm_80", 108, 64, 1410, 2.039e12, 40e6, 80}, // SXM4, 80 GB
      {"RTX 3090", "sm_86", 82, 128, 1695, 0.936e12, 6e6, 24},
      {"RTX 4090", "sm_89", 128, 128, 2520, 1.008e12, 72e6, 24},
      {"H200", "sm_90", 132, 128, 1980, 4.800e12, 50e6, 141}, // SXM5
      {"H100", "sm_90", 132, 128, 1980, 3.350e12, 50e6, 80},  // SXM5
      {"B200", "sm_100", 148, 128, 1965, 8.000e12, 126e6, 180},
      {"RTX 5090", "sm_120", 170, 128, 2407, 1.792e12, 96e6, 32},
  };
  return peaks;
}

Expected<Peak> findPeak(StringRef name, StringRef arch) {
  std::string known;
  for (const Peak &peak : knownPeaks()) {
    if (peak.arch != arch)
      continue;
    if (name.empty() || name == peak.name)
      return peak;
    known += (known.empty() ? "" : ", ") + peak.name.str();
  }
  return refuse("device",
                "no figures of a device '" + name.str() + "' of " + arch.str() +
                    " are known",
                {}, "known of " + arch.str() + ": " + known);
}

} // namespace convopt
