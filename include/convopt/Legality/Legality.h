//===- Legality.h - Does a nest still compute the same thing? ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place that decides whether a transformed nest is legal. The rules
/// and their formal conditions are in docs/Legality.md.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LEGALITY_LEGALITY_H
#define CONVOPT_LEGALITY_LEGALITY_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"

namespace convopt {

struct LegalityOptions {
  /// `-fassociative-math`: additions into one cell may be reordered.
  bool associativeMath = false;
  /// `-ffinite-math-only`: no element is infinite or NaN.
  bool finiteMath = false;
  /// `-fno-signed-zeros`: a zero may have either sign.
  bool noSignedZeros = false;
  /// `-isl-max-operations=`: of a question about dependences or legality.
  unsigned long maxOperations = DefaultMaxOperations;
  /// Arrays that sizes or flags may leave less of than their footprint counts
  /// (partlyTouched), so that no more is read of them than the source reads.
  std::vector<unsigned> partly = {};
  /// For tests of what rules are worth: one that is not asked about, or "all".
  std::string without = {};

  bool asks(llvm::StringRef rule) const {
    return without != "all" && without != rule;
  }
};

/// That \p a, which is among LegalityOptions::partly, stays where it is.
std::string partlyText(const Array &a);

/// Checks \p current, whose statements are those of the nest that
/// \p dependences was computed from, by the rules Instances, Order, Mapping
/// and Storage, in that order. A violation is a Refusal of status Illegal
/// with the two accesses, the direction vector, a sampled witness
/// ("S1[k=0, c=0, r=1] must run before S1[k=0, c=1, r=0]"), the location and
/// the remedy; where isl gives up, rule "analysis".
llvm::Error checkLegality(const DependenceAnalysis &dependences,
                          const Nest &current, LegalityOptions options = {});

/// Checks \p converted, which if-convert made of the nest that \p original was
/// computed from, by the rule Values: what was not computed before adds
/// nothing, and touches no more than is there. Refuses as checkLegality does.
llvm::Error checkIfConversion(const DependenceAnalysis &original,
                              const Nest &converted, LegalityOptions options);

} // namespace convopt

#endif // CONVOPT_LEGALITY_LEGALITY_H
