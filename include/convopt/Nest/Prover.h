//===- Prover.h - Interval proofs about index expressions -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Is an expression non-negative wherever a statement runs? Each loop is put at
/// the end of its range that the sign of its coefficient asks for
/// (Intervals.h), or a guard in which the loop has that coefficient takes its
/// place. What is left is over parameters: proved, or a fact that the launcher
/// can check.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_PROVER_H
#define CONVOPT_NEST_PROVER_H

#include "convopt/Nest/SizeSamples.h"

namespace convopt {

/// Where an expression is evaluated: the loops around it, outermost first, and
/// what holds there.
struct ProofDomain {
  std::vector<const Loop *> loops;
  std::vector<Constraint> guards;

  static ProofDomain of(const std::vector<NodeRef> &enclosing);
};

/// Facts over parameters that a proof needs; none means proved.
using Needs = std::vector<IndexExpr>; // each `>= 0`

class Prover {
public:
  /// Unless \p asksFacts, all proofs are without needs, and the prover gives up
  /// after a thousand steps.
  explicit Prover(const Nest &nest, bool asksFacts = true);

  /// Has `fact >= 0` hold wherever something is asked about.
  void know(const IndexExpr &fact) { known.push_back(fact); }

  /// What `e >= 0` on \p d needs; none where no facts over parameters will do.
  std::optional<Needs> nonNegative(const IndexExpr &e,
                                   const ProofDomain &d) const;

  /// Whether `e >= 0` is known in each iteration of \p loops, outermost first,
  /// if there is one.
  bool isKnown(const IndexExpr &e, llvm::ArrayRef<const Loop *> loops) const;

  /// What guards of \p d leave an iteration of each loop for, besides what the
  /// loops do.
  Needs runs(const ProofDomain &d) const;

  /// The sign of a stride on \p d; if nothing there says it, that of most
  /// sizes, and else 1.
  int signOf(const IndexExpr &e, const ProofDomain &d) const;

  /// \p e, or less, without a quotient of sizes that the divisor multiplies:
  /// d * floor(n / d) is at least n - d + 1.
  IndexExpr withoutRounding(const IndexExpr &e) const;

  /// How many sizes `need >= 0`, over parameters, leaves where \p d runs: none,
  /// finitely many for some parameter (`2 - F`), or no end of them.
  enum class Reach : uint8_t { Nothing, Bounded, Open };
  Reach reach(const IndexExpr &need, const ProofDomain &d) const;

  /// How many sizes the strongest fact of \p needs leaves.
  SizeSamples::Share shareOf(const Needs &needs) const;
  /// What guards and loops say of parameter \p v.
  SizeSamples::Role roleOf(Var v) const { return sizes().roleOf(v); }
  /// Whether no loop says how large parameter \p v is.
  bool isFree(Var v) const { return sizes().isFree(v); }

  /// What \p e is at most on \p d: the least of the values, over parameters,
  /// none of which is known to be greater than another, and what they need.
  /// Values come in the order of how close to \p e the source says them: guards
  /// of it, bounds of its loops, other guards. None where nothing bounds it.
  struct Maximum {
    std::vector<IndexExpr> values;
    Needs needs;
    std::vector<IndexExpr> greater; // bounds, too, but known to say less
  };
  std::optional<Maximum> maximum(const IndexExpr &e,
                                 const ProofDomain &d) const;

  /// \p all without those that are known to be no less than another on \p d.
  std::vector<IndexExpr> leastOf(llvm::ArrayRef<IndexExpr> all,
                                 const ProofDomain &d) const;
  /// Whether `a <= b` on \p d, by what is assumed so far, too.
  bool isAtMost(const IndexExpr &a, const IndexExpr &b,
                const ProofDomain &d) const;

private:
  using Facts = std::vector<IndexExpr>;
  std::optional<Needs> minimize(const IndexExpr &e, const ProofDomain &d,
                                size_t loops, const Facts &facts) const;
  bool maximize(const IndexExpr &e, const ProofDomain &d, size_t loops,
                const Facts &facts, Maximum &found) const;
  bool maximizeQuotient(const IndexExpr &e, const Atom &q, const ProofDomain &d,
                        Maximum &found) const;
  std::optional<Needs> overParams(const IndexExpr &e, const Facts &facts) const;
  std::optional<int> sign(const IndexExpr &e, const Facts &facts,
                          Needs &needs) const;
  std::optional<Needs> withoutQuotient(const IndexExpr &e, const Atom &q,
                                       const ProofDomain &d, size_t loops,
                                       const Facts &facts) const;
  std::vector<Bound> ends(const ProofDomain &d, size_t loop, bool lower) const;
  Facts factsOf(const ProofDomain &d) const;
  bool follows(const IndexExpr &e, const Facts &facts) const;
  bool isBetter(const Needs &a, const Needs &b) const;
  const SizeSamples &sizes() const;

  const Nest &nest;
  const bool asksFacts;
  mutable unsigned steps; // that searches may still take
  Facts known; // of unsigned parameters
  mutable std::optional<SizeSamples> samples;
};

/// Adds \p more to \p needs, each fact once.
void merge(Needs &needs, const Needs &more);

} // namespace convopt

#endif // CONVOPT_NEST_PROVER_H
