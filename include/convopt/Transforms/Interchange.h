//===- Interchange.h - Reorder perfectly nested loops -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_INTERCHANGE_H
#define CONVOPT_TRANSFORMS_INTERCHANGE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Puts the loops \p order, which lie in one perfectly nested band, into that
/// order, outermost first. Loops of the band that are not named stay where
/// they are. Where a loop's bounds use one that it moves past, as those of a
/// triangle or of a strip-mined loop's halves do, they are solved for it.
///
/// Refuses (rule "structure") loops that are not perfectly nested, bounds that
/// cannot be solved, since they are not linear with a constant coefficient, and
/// a loop of launches inside of others; (rule "usage") fewer than two loops, or
/// one named twice.
llvm::Expected<Nest> interchange(const Nest &nest,
                                 llvm::ArrayRef<unsigned> order);

/// `interchange=LOOP,LOOP,...`, the loops in their new order
extern const Pass interchangePass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_INTERCHANGE_H
