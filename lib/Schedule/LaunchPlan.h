//===- LaunchPlan.h - Arrays that the launcher copies ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_LAUNCHPLAN_H
#define CONVOPT_LIB_SCHEDULE_LAUNCHPLAN_H

#include "SumReads.h"
#include "convopt/Schedule/Step.h"

namespace convopt {

/// Multiply-adds of an iteration of the loops \p inside, as far as known.
int64_t workOf(const Nest &nest, llvm::ArrayRef<const Loop *> inside);

/// The elements of \p array, unknown extents taken for 1.
int64_t knownElements(const Nest &nest, unsigned array);

/// Why a copy of \p array that the launcher makes is not worth it; empty where
/// it is.
std::string whyNotPacked(const SumReads &sum, unsigned array);

/// The bytes of \p array where they are constant.
std::optional<int64_t> bytesOf(const Nest &nest, unsigned array);

/// The step by which the threads of a block take \p array, of which they read
/// the same elements, from constant memory: in the order of their use where the
/// nearest cache does not hold all of it. None where it is not to come from
/// there, of which \p available bytes are left.
std::optional<Step> constantStep(const SumReads &sum, unsigned array,
                                 int64_t available);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_LAUNCHPLAN_H
