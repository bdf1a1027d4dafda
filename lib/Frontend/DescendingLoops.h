//===- DescendingLoops.h - Accesses that move backwards ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `y[(M - 1 - m) * W + W - 1 - x]`, as of loops that count down, is
/// `y[M * W - m * W - x - 1]`, whose rows do not show. It touches what
/// `y[m * W + x]` touches: an iterator may run through its range the other way.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_DESCENDINGLOOPS_H
#define CONVOPT_LIB_FRONTEND_DESCENDINGLOOPS_H

#include "Delinearize.h"

namespace convopt {

/// Iterators, each with its value where its loop runs the other way.
using Mirror = std::map<Var, IndexExpr>;

/// Those by which \p a, to a flat pointer, moves backwards, where the loop runs
/// from one size to another and bounds no other loop.
Mirror mirrorOf(const PlacedAccess &a, const Prover &prover);

/// \p e with the iterators of \p m the other way round. The inverse is the
/// same.
IndexExpr mirrored(const IndexExpr &e, const Mirror &m);
/// The same of an access and what holds there.
PlacedAccess mirrored(PlacedAccess a, const Mirror &m);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_DESCENDINGLOOPS_H
