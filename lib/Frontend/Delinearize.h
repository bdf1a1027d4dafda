//===- Delinearize.h - Dimensions of flat pointers --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `x[((b * C + c) * H + h + p) * W + w + q]` is `x[b][c][h + p][w + q]`.
/// Strides are the coefficients of loops; those that divide one another make a
/// shape (Grosser et al., Optimistic Delinearization of Parametrically Sized
/// Arrays, ICS 2015). A shape counts only where every inner subscript is proved
/// to stay within its extent, or would under facts about the sizes.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_DELINEARIZE_H
#define CONVOPT_LIB_FRONTEND_DELINEARIZE_H

#include "Prove.h"
#include "llvm/ADT/ArrayRef.h"

namespace convopt {

/// Strides of the dimensions, innermost (1) first; each divides the next.
struct LinearShape {
  std::vector<IndexExpr> strides;

  /// The extent of dimension \p k from the inside, which is not the outermost.
  IndexExpr extent(size_t k) const;
  size_t rank() const { return strides.size(); }
};

/// True where no two loops are multiplied in \p e, and none by a quotient of
/// loops.
bool isLinearInLoops(const IndexExpr &e);

/// Subscripts of \p offset in \p shape, innermost first, not yet proved.
std::vector<IndexExpr> decompose(const IndexExpr &offset,
                                 const LinearShape &shape);

/// An access and where it runs. Subscripts are outermost first; those of a
/// flat pointer are one.
struct PlacedAccess {
  std::vector<IndexExpr> subscripts;
  ProofDomain domain;
};

/// A fact that accesses need, and about which dimension from the inside.
struct ShapeNeed {
  IndexExpr fact;
  size_t dimension;
  bool isLower;
};

/// Shapes that flat \p accesses suggest, those of most dimensions first; the
/// last has one. All offsets are linear in loops. The sign of a stride is what
/// the loops around the access say it is.
std::vector<LinearShape> candidateShapes(llvm::ArrayRef<PlacedAccess> accesses,
                                         const Prover &prover);

struct Delinearized {
  LinearShape shape;
  std::vector<std::vector<IndexExpr>> subscripts; // outermost first
  std::vector<ShapeNeed> needs;
};

/// What an array is to its nest.
struct ArrayUsage {
  std::set<Var> outputLoops; // those that index what the nest writes
  bool isRead = true;        // only
  bool isAssigned = false;   // and not only added to
};

/// The best shape for \p accesses to a flat pointer; none where even one
/// dimension cannot be shown to start at zero. Most dimensions are best, but
/// for those that the nest does not need and that leave few sizes: a literal
/// stride is no extent of what is only read (`x[2 * i + j]` is not `x[i][j]`
/// with j < 2), nor is a stride between windows. Of two shapes the better keeps
/// loops of outputs in dimensions of their own: `x[(i * s + p) * W + j * s +
/// q]` is the same sum with `s` and `W` exchanged.
std::optional<Delinearized> delinearize(llvm::ArrayRef<PlacedAccess> accesses,
                                        const ArrayUsage &usage,
                                        const Prover &prover);

/// What keeps every subscript within \p extents (those of the inner
/// dimensions, outermost first), and the outermost from being negative.
std::optional<std::vector<ShapeNeed>>
withinExtents(llvm::ArrayRef<PlacedAccess> accesses,
              llvm::ArrayRef<IndexExpr> extents, const Prover &prover);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_DELINEARIZE_H
