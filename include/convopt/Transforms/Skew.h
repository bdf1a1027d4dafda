//===- Skew.h - Start a loop later in each iteration around it --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_SKEW_H
#define CONVOPT_TRANSFORMS_SKEW_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Adds \p factor times the iterator of \p by, a loop around \p loop, to the
/// iterator of \p loop (skewing: Wolfe, Loop Skewing: The Wavefront Method
/// Revisited, 1986). Instances keep their order; an interchange of the two
/// loops that dependences forbade may then be legal.
///
/// Always legal. Refuses (rule "structure") loops that do not lie in one
/// another, and a loop that is mapped or unrolled, whose iterations have places
/// of their own; (rule "usage") a factor of 0, or one that bounds cannot hold.
llvm::Expected<Nest> skew(const Nest &nest, unsigned loop, unsigned by,
                          int64_t factor);

/// `skew=LOOP,BY,FACTOR`
extern const Pass skewPass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_SKEW_H
