//===- Intervals.cpp - Intervals of index expressions ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Prover.h"

using namespace llvm;

namespace convopt {

bool isProvablyNonNegative(const Nest &nest, const IndexExpr &e,
                           ArrayRef<const Loop *> loops) {
  return Prover(nest, /*asksFacts=*/false).isKnown(e, loops);
}

bool isProvablyTrue(const Nest &nest, const Constraint &c,
                    ArrayRef<const Loop *> loops) {
  return isProvablyNonNegative(nest, c.expr, loops) &&
         (c.kind == Constraint::NonNegative ||
          isProvablyNonNegative(nest, -c.expr, loops));
}

} // namespace convopt
