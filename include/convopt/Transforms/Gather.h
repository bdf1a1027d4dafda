//===- Gather.h - Loops over the elements of an output ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_GATHER_H
#define CONVOPT_TRANSFORMS_GATHER_H

#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Makes a scatter into \p array, `y[i + j] += x[i] * h[j]`, a gather: loops of
/// a perfectly nested band that a subscript adds up become one over its
/// values, by skewing the innermost of them by the others, and move outwards.
/// The terms of an element are added in their old order. \p done is told of
/// each skew and interchange. The result is a computation of its own, with
/// statements over the new loops.
///
/// Refuses (rule "structure") an array of which no subscript adds up loops of
/// the band with constant factors, the innermost by 1 or -1; and what skew and
/// interchange refuse. Rule Order refuses terms that would change places.
llvm::Expected<Nest> gather(const Nest &nest, unsigned array,
                            PrimitiveDone done);

/// The loops that a subscript of \p s's target adds up, the innermost last, for
/// each subscript that gather() skews.
std::vector<std::vector<unsigned>> scatteredLoops(const Nest &nest,
                                                  const Statement &s);

/// `gather=ARRAY`
extern const Pass gatherPass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_GATHER_H
