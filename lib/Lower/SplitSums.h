//===- SplitSums.h - Sums that threads and blocks share ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_SPLITSUMS_H
#define CONVOPT_LIB_LOWER_SPLITSUMS_H

#include "Mapping.h"
#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"

namespace convopt::lower {

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

/// Gives the sums of a thread's register tile to a thread each, in \p thread,
/// which is what one thread of \p nest runs; \p round is the loop over parts of
/// the sums:
///
///   local sum[4]                     local sum
///   for k_r in 0 .. 4 {              sum = 0
///     sum[k_r] = 0                   sum += parts[k_r]
///   }                                y[k_b + k_r] = sum
///   for k_r in 0 .. 4 { sum[k_r] += parts[k_r] }
///   for k_r in 0 .. 4 { y[k_b + k_r] = sum[k_r] }
///
/// The result are the loops, of the grid then; none, with all as it was, where
/// something else stands beside these loops or a loop of the source around the
/// sum carries one of the source's \p dependences: iterations that differ in
/// loops that carry none are free to run in any order.
std::vector<std::shared_ptr<Loop>>
spreadElements(Nest &nest, unsigned sum, const Loop &round,
               const DependenceAnalysis &dependences, Body &thread);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_SPLITSUMS_H
