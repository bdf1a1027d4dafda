//===- SpreadElements.h - Sums of a thread to threads -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_SPREADELEMENTS_H
#define CONVOPT_LIB_EMIT_SPREADELEMENTS_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"

namespace convopt::emit {

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

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_SPREADELEMENTS_H
