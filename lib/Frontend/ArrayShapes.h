//===- ArrayShapes.h - What shows the shapes of arrays ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops and guards bound a subscript in several ways, and the least of these
/// bounds counts: what the host function copies is what the nest touches.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_ARRAYSHAPES_H
#define CONVOPT_LIB_FRONTEND_ARRAYSHAPES_H

#include "Delinearize.h"
#include "Resolve.h"

namespace convopt {

/// What a subscript is at most in all accesses to an array.
struct SubscriptBound {
  /// Each is an upper bound; none is known to be greater than another. Empty
  /// where bounds of different accesses cannot be compared.
  std::vector<IndexExpr> values;
  Needs needs;                   // of loops' coefficients
  Needs agreements;              // what lets one access speak for others
  Needs spans;                   // without which a lesser bound counts
  std::vector<IndexExpr> maxima; // of the accesses
};

/// The bounds of \p subscripts, one for each of \p uses; refers to the first
/// access without any bound by \p unbounded.
///
/// A guard on loops that the access does not use, as that for the border of an
/// image is for its filter, cuts off what is read for few sizes only: that it
/// does not is a fact to check, rather than one more bound. So is that sizes
/// are not negative where two bounds differ by a sum of them.
SubscriptBound boundOf(llvm::ArrayRef<IndexExpr> subscripts,
                       llvm::ArrayRef<ArrayUse> uses, const Nest &nest,
                       const Prover &prover, const ArrayUse *&unbounded);

/// Of the bounds, the one with fewest terms.
IndexExpr shortest(const Nest &nest, llvm::ArrayRef<IndexExpr> bounds);

/// Sets the footprint of \p array, whose extents are known. \p subscripts are
/// those of each use, outermost first; \p assume gets the bound of each and its
/// dimension from the inside.
void setFootprint(
    Nest &nest, unsigned array, llvm::ArrayRef<ArrayUse> uses,
    llvm::ArrayRef<std::vector<IndexExpr>> subscripts,
    llvm::function_ref<void(const SubscriptBound &, size_t)> assume);

/// Accesses to one flat array, their strides written in one way, and the facts
/// (each `>= 0`) under which these are the same offsets.
struct Naming {
  std::vector<PlacedAccess> accesses;
  std::vector<IndexExpr> facts;
  /// The stride of the innermost dimension, which is not 1.
  std::optional<IndexExpr> step = std::nullopt;
};

/// The ways that may show dimensions, the most readable first: as written; with
/// named strides expanded, so that `c * plane` is `c * H * W`; with all sizes
/// expanded, for `(H - K + 1) * W` in one place and `OH * W` in another; and
/// with each stride that is a parameter of its own a multiple of the next
/// smaller one, as planes are whole numbers of rows; and with channels that are
/// whole numbers of groups.
std::vector<Naming> namingsOf(llvm::ArrayRef<PlacedAccess> accesses,
                              const Nest &nest);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_ARRAYSHAPES_H
