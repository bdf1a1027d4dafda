//===- Fission.h - Loops side by side in kernels of their own ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_FISSION_H
#define CONVOPT_SCHEDULE_FISSION_H

#include "convopt/Legality/Legality.h"
#include "convopt/Nest/Nest.h"
#include <vector>

namespace convopt {

/// The nests that compute what \p nest does if they run one after the other,
/// each as a kernel: as few as its loops side by side can be jammed to, after
/// the loops around them are distributed. All have the arguments of \p nest.
/// None where one kernel is as good, where a part would have no parallel loop,
/// where a scalar of one part is read by another, and of a kernel's nest, as
/// its source launches one.
std::vector<Nest> kernelNests(const Nest &nest,
                              const LegalityOptions &legality);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_FISSION_H
