//===- BodyCost.h - What an unrolled body comes to --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler of the emitted code takes its time for multiply-adds, of which
/// an iteration may have several, and for all sums of a nest together.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_BODYCOST_H
#define CONVOPT_LIB_SCHEDULE_BODYCOST_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// Multiply-adds that the code of a division of numbers or of a function such
/// as expf counts as in an unrolled body. Its branches are not interleaved with
/// those of others: more than some in a body only fill the instruction cache.
constexpr int64_t OfCall = 128;

/// Statements that it counts as in a body without stages.
constexpr int64_t StatementsOfCall = 16;

/// Divisions in \p s, and calls of functions that are no few instructions.
int64_t longOperationsIn(const Statement &s);

/// Multiply-adds of one iteration of the sums in \p l, its loops left out of
/// account: a product for every two numbers that a sum reads, and one for each
/// sum at least, and OfCall for each call or division. Sums in guards of their
/// own are taken to be cases, of which one runs.
int64_t productsOf(const Loop &l);

/// Instructions of one iteration of the sums in \p l, loads and its loops left
/// out of account: those of one multiply-add at least.
int64_t instructionsOf(const Loop &l);

/// The guards that sums in \p l stand in, those without one taken for one.
int64_t casesOf(const Loop &l);

/// The cells that the sums in \p l add to, for one output.
int64_t cellsOf(const Nest &nest, const Loop &l);

/// The sums of a nest, those in one loop counted once: the loops that are
/// outermost, of those that \p isOfSum names, around its reductions.
int64_t sumsOf(const Nest &nest,
               llvm::function_ref<bool(const Loop &)> isOfSum);

inline bool isSerial(const Loop &l) { return l.kind == LoopKind::Serial; }

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_BODYCOST_H
