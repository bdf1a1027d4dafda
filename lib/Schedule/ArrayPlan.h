//===- ArrayPlan.h - How one array comes to the sum -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_ARRAYPLAN_H
#define CONVOPT_LIB_SCHEDULE_ARRAYPLAN_H

#include "SumReads.h"
#include "convopt/Schedule/Remarks.h"
#include "convopt/Schedule/StepRecorder.h"
#include "convopt/Transforms/Stage.h"

namespace convopt {

/// The steps that bring an array to the sum: through memory that the launcher
/// packs, shared memory and registers.
struct ArrayPlan {
  unsigned array;
  std::optional<StageArguments> pack, registers;
  StageArguments shared;
  std::optional<unsigned> last; // dimension that is read in vectors
};

/// Chooses the vectors of the copies of \p plan, whose steps come next after
/// those of \p recorder, and rows of shared memory without bank conflicts. What
/// is not as wide as it could be is added to \p remarks with the reason.
void chooseLayout(const StepRecorder &recorder, const SumReads &sum,
                  ArrayPlan &plan, Remarks &remarks);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_ARRAYPLAN_H
