//===- Limits.h - Bounds that guards could be -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_LIMITS_H
#define CONVOPT_LIB_VERIFY_LIMITS_H

#include "convopt/Nest/Nest.h"

namespace convopt::verify {

/// \p nest, which is as its source has it, with guards in place of those bounds
/// of a loop that stand still where another one slides:
/// `for i in max(y - P, 0) .. min(y + K - P, H)` passes over the rows that
/// guards for padding would keep out, so that both are verified alike.
Nest withLimitsAsGuards(Nest nest);

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_LIMITS_H
