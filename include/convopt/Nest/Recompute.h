//===- Recompute.h - Sums that are computed twice ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where predicated sums (Operand::isPredicate) are set and completed. Let F be
/// such a sum that reads zeros instead of asking, and E the one that is meant.
/// A term that the predicate excludes is in F a zero, where the other factors
/// are finite, and adding it changes at most the sign of a partial sum that is
/// itself a zero; two partial sums that differ only so are equal to the last
/// bit once a term is added that is not a zero. With a factor that is infinite
/// or NaN, F is NaN from there on. So F is E unless F is a zero or a NaN: what
/// is neither need not be computed again.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_RECOMPUTE_H
#define CONVOPT_NEST_RECOMPUTE_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// What \p s is predicated on, over the current loops.
std::vector<Constraint> predicatesOf(const Statement &s);

/// What of a body may run twice with the same result: it writes nothing but
/// locals, each of which it sets before it reads it.
struct Recomputed {
  size_t first, last;         // elements of the body, inclusive
  std::vector<unsigned> sums; // arrays with predicated sums, complete after it
};

/// The arrays of predicated sums in \p body.
std::vector<unsigned> predicatedSums(const Body &body);

/// Those parts of \p body, in order, in which sums that \p body declares are
/// set and completed. Refuses (rule "structure") sums that are stored or read
/// before they are complete, that take what is no term, or whose predicate is
/// about no factor that zero stands for.
llvm::Expected<std::vector<Recomputed>> recomputedParts(const Nest &nest,
                                                        const Body &body);

/// Refuses (rule "structure") \p nest where a predicated sum is in no such
/// part.
llvm::Error checkRecomputed(const Nest &nest);

} // namespace convopt

#endif // CONVOPT_NEST_RECOMPUTE_H
