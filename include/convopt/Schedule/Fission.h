//===- Fission.h - Loops side by side in kernels of their own ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_FISSION_H
#define CONVOPT_SCHEDULE_FISSION_H

#include "convopt/Legality/Legality.h"
#include "convopt/Nest/LaunchLoops.h"
#include "convopt/Schedule/Step.h"

namespace convopt {

/// A nest that runs as several kernels, one after the other.
struct KernelSequence {
  struct Part {
    /// What a kernel computes, with the arguments of the whole and those sizes.
    Nest nest;
    LaunchLoops around; // of the whole
    bool isOfOneThread = false; // in a loop that is none of the whole
  };
  /// Locals that are arrays in memory while the parts run, as "sum[i]"; of the
  /// parts the last arguments before the sizes.
  std::vector<std::string> expanded = {};
  std::vector<Step> steps; // that the loops around the parts are distributed by
  Nest whole;              // after that
  std::vector<Part> parts;
  /// Scalars that a part has for one that another part has, too.
  std::vector<std::string> again = {};
};

/// \p nest as kernels: as few as its loops side by side can be jammed to, after
/// the loops around them are distributed. A loop that is not parallel and
/// cannot be distributed runs them in each of its iterations.
///
/// Locals that a part leaves to others are expanded where that is worth the
/// memory. If there is no sequence else, values that several parts read are
/// computed in each.
///
/// None where one kernel is as good, where one thread would run what takes most
/// time, and of a kernel's nest, as its source launches one.
std::optional<KernelSequence> kernelSequence(const Nest &nest,
                                             const LegalityOptions &legality);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_FISSION_H
