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

#include "convopt/Nest/Prover.h"

namespace convopt {

/// Strides of the dimensions, innermost (1) first; each divides the next.
struct LinearShape {
  std::vector<IndexExpr> strides;

  /// The extent of dimension \p k from the inside, which is not the outermost.
  IndexExpr extent(size_t k) const;
  size_t rank() const { return strides.size(); }
};

/// What two products have in common: the row of an image in which every loop is
/// scaled, by `stride * W` and by `dilation * W`.
std::optional<IndexExpr> commonFactor(const IndexExpr &a, const IndexExpr &b);

/// What multiplies each loop, or quotient of loops, in \p e; the empty atom
/// list holds what has none. Of what is linear in loops.
std::map<Monomial, IndexExpr> coefficientsOf(const IndexExpr &e);

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

/// A fact that accesses need: about which dimension from the inside, and which
/// access is the first to need it.
struct ShapeNeed {
  enum Kind : uint8_t {
    Start,   // no subscript is negative
    End,     // none reaches its extent
    Strides, // strides are what they are taken for
  };
  IndexExpr fact;
  size_t dimension;
  Kind kind;
  size_t access;
};

/// Shapes that flat \p accesses suggest, those of most dimensions first; the
/// last has one. All offsets are linear in loops. The sign of a stride is what
/// the loops around the access say it is. Elements have \p fields in the
/// source.
std::vector<LinearShape> candidateShapes(llvm::ArrayRef<PlacedAccess> accesses,
                                         int64_t fields, const Prover &prover);

/// What makes a shape worse, the worst first: iterations that may write the
/// same elements; facts that hold for hardly any sizes; loops of the outputs
/// that share a subscript; loops that are in another order than in the outputs;
/// facts that do not hold for many sizes; of what is written, facts about
/// multiples; sizes that loops are multiplied by; fewer dimensions; how many
/// facts.
using ShapeCost =
    std::tuple<bool, bool, size_t, size_t, bool, bool, size_t, int64_t, size_t>;

/// A shape in which accesses are proved to lie.
struct Delinearized {
  LinearShape shape;
  std::vector<std::vector<IndexExpr>> subscripts; // innermost first
  std::vector<ShapeNeed> needs;
  /// Whether the innermost dimension is the fields of elements, such as pixels,
  /// of which rows are made.
  bool hasFields = false;
  /// Whether a size is taken for a pitch, `p` in `x[i * p + k]`, which may as
  /// well be the step of windows that overlap.
  bool hasPitch = false;
  /// The loops of outputs over planes of such a pitch, `b` in
  /// `x[b * p + k * n + j]`.
  std::set<Var> pitchedLoops = {};

  /// Dimensions of elements, which may have fields.
  size_t rank() const { return shape.rank() - hasFields; }
};

/// What an array is to its nest.
struct ArrayUsage {
  std::set<Var> outputLoops; // those that index what the nest writes
  std::set<std::pair<Var, Var>> outputOrder; // the first moves further there
  bool isRead = true;                        // only
  bool isAssigned = false;                   // and not only added to
  bool needsRows = false; // or iterations write the same elements
  int64_t fields = 1;     // of an element, where the source has structures
  /// Loops of outputs that an array with windows does not use: a filter's
  /// channels, of which a caller has no more than it has rows for.
  std::set<Var> channels;
  std::set<Var> pitches; // arguments at which no loop ends
  /// The most dimensions, but for fields, of other arrays, all of which have
  /// rows of pitches; else 0.
  size_t pitchedRank = 0;
  std::set<Var> pitchedLoops; // whose stride in what is written is a pitch

  /// Whether it is a pitch, or how often one holds the next smaller one.
  bool isPitch(const IndexExpr &extent) const;
};

/// The shapes for \p accesses to a flat pointer, of most dimensions first;
/// none where even one
/// dimension cannot be shown to start at zero. Left out are dimensions that the
/// nest does not need and that leave few sizes: a literal stride is no extent
/// of what is only read (`x[2 * i + j]` is not `x[i][j]` with j < 2) unless it
/// counts fields (`x[2 * i]` and `x[2 * i + 1]` are `x[i][0]` and `x[i][1]`),
/// nor is a stride between windows.
/// \p facts are needed in any case. \p step is the stride of columns that have
/// one of their own: the elements between are a dimension that no loop indexes,
/// as fields are.
std::vector<Delinearized> delinearize(llvm::ArrayRef<PlacedAccess> accesses,
                                      llvm::ArrayRef<IndexExpr> facts,
                                      const std::optional<IndexExpr> &step,
                                      const ArrayUsage &usage,
                                      const Prover &prover);

/// The cheapest of \p shapes, the first of several; null where there is none.
/// Of those with a pitch, none where other arrays do not show it to be one.
/// `x[(i * s + p) * W + j * s + q]` is the same sum with `s` and `W` exchanged.
const Delinearized *cheapest(llvm::ArrayRef<Delinearized> shapes,
                             const ArrayUsage &usage, const Prover &prover);

/// What keeps every subscript within \p extents (those of the inner
/// dimensions, outermost first), and the outermost from being negative.
std::optional<std::vector<ShapeNeed>>
withinExtents(llvm::ArrayRef<PlacedAccess> accesses,
              llvm::ArrayRef<IndexExpr> extents, const Prover &prover);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_DELINEARIZE_H
