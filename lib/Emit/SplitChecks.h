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

/// What one thread runs, by the element that is or holds the split loop.
struct AroundSplit {
  Body before;
  NodeRef at; // null without
  Body after;
};
AroundSplit aroundSplit(const Body &body, const Loop &loop);

/// What sets each element of \p sum in \p body, once; none where nothing or
/// more than one statement does, or in a loop that comes back to an element.
const Statement *setterOf(const Body &body, unsigned sum);

/// Of what \p s reads, the sum that \p split shares; null where it reads none.
const Operand *sumIn(const Statement &s, const Split &split);

/// Refuses (rule "Mapping") a loop over threads or blocks whose sums take two
/// kernels which other code of \p nest stands in the way of: iterations that do
/// more than add to the sums, a guard or a loop around, a launch for each of
/// several iterations, and a sum that is set in several places. Of an atomic
/// loop also a sum that is more than stored, or stored by a copy, to an array
/// that the source reads, of a type or by an operation for which \p gpu has no
/// atomic one.
llvm::Error checkSplit(const Nest &nest, const Mapping &mapping,
                       const Gpu &gpu);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_SPLITCHECKS_H
