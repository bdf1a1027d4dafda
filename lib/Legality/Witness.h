//===- Witness.h - An example for a refusal ---------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Points that isl samples from a set of violations, and the words around
/// them.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LEGALITY_WITNESS_H
#define CONVOPT_LIB_LEGALITY_WITNESS_H

#include "CurrentNest.h"

namespace convopt {

/// A violation: values of the parameters, and of the loops of the places that
/// take part, one place after the other.
struct Witness {
  std::vector<int64_t> params; // by position in the ParamTable
  std::vector<int64_t> loops;
};

/// A point of \p set, which is not empty: the smallest where there is one.
Witness sample(const CurrentNest &current, isl::set set);
/// The same for a map: the loops of its domain, then those of its range.
Witness sample(const CurrentNest &current, isl::map map);

/// "S1[o=0, y=3]": the original iteration that \p r runs at the loop values
/// of \p w from \p first on.
std::string instanceText(const CurrentNest &current, const Running &r,
                         const Witness &w, unsigned first);
/// "S1[o=0, y=3]" of the original statement with the iterators given by
/// \p values.
std::string iterationText(const Nest &nest, const Statement &s,
                          llvm::ArrayRef<int64_t> values);

/// A violated dependence with its witness.
struct Violation {
  const DependentPairs &dependence;
  Witness witness;
  /// Whether both instances run at the witness, and touch one element there.
  /// Else isl, which has no products of sizes and loops, took more pairs to
  /// depend than may.
  bool isShown;
  std::string source, sink; // instances as text, or statements where not shown

  Violation(const CurrentNest &current, const DependentPairs &dependence,
            const isl::map &violating);
  /// "S0[y=0] must run before S0[y=1]".
  std::string orderText() const;
  /// The common original loop that carries the violated pair; none where both
  /// are in one iteration of all.
  std::optional<unsigned> carrier(const CurrentNest &current) const;
};

/// The refusal of \p v: notes give the two accesses, the direction vector and
/// the sizes of the witness, or those of which a value would be a proof.
llvm::Error refuseDependence(const CurrentNest &current, const Violation &v,
                             std::string rule, std::string message,
                             std::string remedy);

} // namespace convopt

#endif // CONVOPT_LIB_LEGALITY_WITNESS_H
