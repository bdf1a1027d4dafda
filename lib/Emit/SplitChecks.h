//===- SplitChecks.h - Which sums blocks can share --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_SPLITCHECKS_H
#define CONVOPT_LIB_EMIT_SPLITCHECKS_H

#include "Mapping.h"

namespace convopt::emit {

/// The elements of \p body before the split loop, which is one, and after it.
std::pair<Body, Body> aroundSplit(const Body &body, const Loop &loop);

/// What sets each element of \p sum in \p body, once; none where nothing or
/// more than one statement does, or in a loop that comes back to an element.
const Statement *setterOf(const Body &body, unsigned sum);

/// Refuses (rule "Mapping") a loop over blocks that share sums which other code
/// of \p nest stands in the way of: blocks that do more than add to the sums, a
/// guard or a loop around, a launch for each of several iterations, and a sum
/// that is set in several places.
llvm::Error checkSplit(const Nest &nest, const Mapping &mapping);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_SPLITCHECKS_H
