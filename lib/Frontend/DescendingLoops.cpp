//===- DescendingLoops.cpp - Accesses that move backwards -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescendingLoops.h"

using namespace llvm;

namespace convopt {

/// The only bound of \p all, where it is over sizes.
static std::optional<IndexExpr> onlySize(ArrayRef<Bound> all) {
  return all.size() == 1 && all[0].divisor == 1 && !all[0].expr.usesLoops()
             ? std::optional(all[0].expr)
             : std::nullopt;
}

/// Whether \p stride is negative, or more is taken from it than added to it
/// where nothing says. Whatever is taken for a mirror, accesses touch the same.
static bool isBackwards(const IndexExpr &stride, const ProofDomain &d,
                        const Prover &prover) {
  if (prover.signOf(stride, d) < 0 || prover.signOf(-stride, d) < 0)
    return prover.signOf(stride, d) < 0;
  return count_if(stride.terms(), [](const auto &t) { return t.second < 0; }) >
         ptrdiff_t(stride.terms().size() / 2);
}

Mirror mirrorOf(const PlacedAccess &a, const Prover &prover) {
  Mirror result;
  for (const Loop *l : a.domain.loops) {
    const Var v = loopVar(l->id);
    const auto stride = a.subscripts[0].symbolicCoefficient(v);
    const auto lower = onlySize(l->lower), upper = onlySize(l->upper);
    auto isBoundedByIt = [&](const Loop *other) {
      auto uses = [&](const Bound &b) { return b.expr.uses(v); };
      return any_of(other->lower, uses) || any_of(other->upper, uses);
    };
    if (stride && isBackwards(*stride, a.domain, prover) && lower && upper &&
        none_of(a.domain.loops, isBoundedByIt))
      result[v] = *lower + *upper - 1 - IndexExpr::of(v);
  }
  return result;
}

IndexExpr mirrored(const IndexExpr &e, const Mirror &m) {
  return e.substitute([&](Var v) -> std::optional<IndexExpr> {
    auto it = m.find(v);
    return it == m.end() ? std::nullopt : std::optional(it->second);
  });
}

PlacedAccess mirrored(PlacedAccess a, const Mirror &m) {
  for (IndexExpr &e : a.subscripts)
    e = mirrored(e, m);
  for (Constraint &c : a.domain.guards)
    c.expr = mirrored(c.expr, m);
  return a;
}

} // namespace convopt
