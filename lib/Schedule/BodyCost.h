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

/// Multiply-adds that a compiler takes as long for as for the code of a
/// division of numbers or of a function such as expf.
constexpr int64_t OfCall = 8;

/// Multiply-adds of one iteration of the sums in \p l, its loops left out of
/// account: a product for every two numbers that a sum reads, and one for each
/// sum at least, and OfCall for each call or division. Sums in guards of their
/// own are taken to be cases, of which one runs.
int64_t productsOf(const Loop &l);

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
