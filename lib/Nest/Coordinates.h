//===- Coordinates.h - Subscripts and the ends of arrays --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Subscript v of a dimension with E elements is inside of it, below or above:
///
///   v >= 0 and E - 1 - v >= 0       -v - 1 >= 0       v - E >= 0
///
/// A statement has coordinates, which are such v, and a case for each
/// combination of their sides.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_NEST_COORDINATES_H
#define CONVOPT_LIB_NEST_COORDINATES_H

#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Prover.h"

namespace convopt {

enum Side : uint8_t { Inside, Below, Above };

struct Coordinate {
  IndexExpr value, extent;
  bool hasBelow = false, hasAbove = false;
  /// How many elements at the ends count as outside: an element that is its own
  /// image may, as in `v > 0 ? v : 0`.
  int64_t low = 0, high = 0;

  Constraint first() const { return {Constraint::NonNegative, value - low}; }
  Constraint last() const {
    return {Constraint::NonNegative, extent - 1 - high - value};
  }
  Constraint below() const {
    return {Constraint::NonNegative, low - 1 - value};
  }
  Constraint above() const {
    return {Constraint::NonNegative, value - extent + high};
  }
  bool has(Side s) const {
    return s == Inside || (s == Below ? hasBelow : hasAbove);
  }
  bool isSame(const Coordinate &o) const {
    return value == o.value && extent == o.extent;
  }
};

/// What is known of sizes where a statement runs.
class BorderFacts {
public:
  explicit BorderFacts(const Nest &nest);

  /// An array that the statement reads has elements.
  void know(const Coordinate &c) { prover.know(c.extent - 1); }
  /// Whether \p e >= 0 on all of \p domain.
  bool isAlways(const IndexExpr &e, const ProofDomain &domain) const;
  /// Whether \p a holds where \p b does, or in all iterations of \p loops.
  bool follows(const Constraint &a, const Constraint &b,
               llvm::ArrayRef<const Loop *> loops) const;
  /// Whether two of \p all exclude each other.
  bool isContradiction(llvm::ArrayRef<Constraint> all) const;

private:
  bool isNotNegative(const IndexExpr &e) const {
    return !e.usesLoops() && prover.isKnown(e, {});
  }

  const Nest &nest;
  Prover prover;
};

/// What the coordinates \p all ask on \p sides.
std::vector<Constraint> askedOn(llvm::ArrayRef<Coordinate> all,
                                llvm::ArrayRef<Side> sides);

/// All combinations of sides of \p all but those that exclude each other.
std::vector<std::vector<Side>> combinationsOf(llvm::ArrayRef<Coordinate> all,
                                              const BorderFacts &facts);

/// \p s with a border in place of remainders by an extent: `v % extent` is what
/// `wrap` has where v is less than an extent away. The array's border is set in
/// \p nest.
NodeRef withWraps(Nest &nest, const BorderFacts &facts,
                  const ProofDomain &around, const Statement &s);

} // namespace convopt

#endif // CONVOPT_LIB_NEST_COORDINATES_H
