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
#include <optional>

namespace convopt {

/// Of what filling memory at launch is worth another command on the stream:
/// multiply-adds of the whole nest.
constexpr int64_t LeastPackedWork = 500'000'000;

/// Bytes of constants that a block may go through: more miss their cache again
/// and again.
constexpr int64_t MostConstantsOfBlock = 8 * 1024;

/// Multiply-adds of an iteration of the loops \p inside, as far as known.
int64_t workOf(const Nest &nest, llvm::ArrayRef<const Loop *> inside);

/// Why a copy of \p array that the launcher makes is not worth it; empty where
/// it is.
std::string whyNotPacked(const SumReads &sum, unsigned array);

/// The bytes of \p array where they are constant.
std::optional<int64_t> bytesOf(const Nest &nest, unsigned array);

/// The step by which the threads of a block take \p array, of which they read
/// the same elements, from constant memory: in the order of their use where the
/// nearest cache does not hold all of it. None where threads read different
/// elements, or it takes more than \p available bytes, or no constant number.
std::optional<Step> constantStep(const SumReads &sum, unsigned array,
                                 int64_t available);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_LAUNCHPLAN_H
