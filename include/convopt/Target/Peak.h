//===- Peak.h - What devices can do at most, by their makers ----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nominal figures, for bounds where there is no device to measure.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TARGET_PEAK_H
#define CONVOPT_TARGET_PEAK_H

#include "llvm/Support/Error.h"

namespace convopt {

/// A device as its maker describes it.
struct Peak {
  llvm::StringLiteral name; // "H200"
  llvm::StringLiteral arch; // "sm_90"
  int64_t multiprocessors = 0;
  int64_t lanes = 0;          // FP32, of a multiprocessor
  int64_t boostMegahertz = 0; // the clock that the maker's peak is given for
  double bytesPerSecond = 0;  // of device memory
  double cacheBytes = 0;      // of the second-level cache
  int64_t gigabytes = 0;      // of device memory

  /// Plain FP32, 2 a multiply-add.
  double flopsPerSecond() const {
    return 2e6 * double(multiprocessors * lanes * boostMegahertz);
  }
  /// Of device memory, for each multiprocessor at that clock.
  double bytesPerCycle() const {
    return bytesPerSecond / (1e6 * double(multiprocessors * boostMegahertz));
  }
};

/// The device called \p name or, if that is empty, the one that stands for
/// \p arch. Refuses (rule "device") a name that is not known, or of another
/// architecture, with the list of those known.
llvm::Expected<Peak> findPeak(llvm::StringRef name, llvm::StringRef arch);

/// Every device that findPeak knows; the first of an architecture stands for
/// it.
llvm::ArrayRef<Peak> knownPeaks();

} // namespace convopt

#endif // CONVOPT_TARGET_PEAK_H
