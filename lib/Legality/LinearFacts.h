//===- LinearFacts.h - What follows from inequalities -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LEGALITY_LINEARFACTS_H
#define CONVOPT_LIB_LEGALITY_LINEARFACTS_H

#include "convopt/Nest/IndexExpr.h"
#include "llvm/ADT/ArrayRef.h"

namespace convopt {

/// Whether \p e is not negative for any integers of which no one of \p facts
/// is. Each product of variables counts as a variable; no where isl gives up.
bool isImplied(llvm::ArrayRef<IndexExpr> facts, const IndexExpr &e);

/// Whether no integers fulfil all of \p facts, each taken as above.
bool areContradictory(llvm::ArrayRef<IndexExpr> facts);

} // namespace convopt

#endif // CONVOPT_LIB_LEGALITY_LINEARFACTS_H
