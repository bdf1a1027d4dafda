//===- Preparations.h - What comes before tiles are chosen ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_PREPARATIONS_H
#define CONVOPT_LIB_SCHEDULE_PREPARATIONS_H

#include "convopt/Schedule/Pipeline.h"

namespace convopt {

/// Steps, by alternatives, that make the outputs of \p pipeline's nest such
/// that a thread can have them: `gather` for each array that sums are scattered
/// into; an `interchange` where a loop of a sum stands outside of loops over
/// elements, so that the sum can stay in a register for its whole length; and
/// `widen` of triangles. Whether they are legal, the pipeline is to be asked.
std::vector<std::vector<Step>> preparations(const Pipeline &pipeline);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_PREPARATIONS_H
