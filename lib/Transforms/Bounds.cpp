//===- Bounds.cpp - Bounds that others imply -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

namespace {

/// Replaces the innermost loop in an expression by the bound at which the
/// expression is least, and so on outwards, until a constant remains. Any one
/// of several bounds will do, so each is tried, within a budget.
class Minimum {
public:
  explicit Minimum(const Nest &nest) : nest(nest) {}

  bool isNonNegative(const IndexExpr &given, ArrayRef<const Loop *> loops) {
    IndexExpr e = nest.expandDefinitions(given);
    if (std::optional<int64_t> value = e.asConstant())
      return *value >= 0;
    if (!e.isValid() || budget == 0)
      return false;
    --budget;
    if (std::optional<IndexExpr> least = withoutQuotient(e))
      return isNonNegative(*least, loops);
    while (!loops.empty() && !e.uses(loopVar(loops.back()->id)))
      loops = loops.drop_back();
    if (loops.empty())
      return false;
    const Loop &l = *loops.back();
    Var v = loopVar(l.id);
    std::optional<IndexExpr> symbolic = e.symbolicCoefficient(v);
    std::optional<int64_t> c = symbolic ? symbolic->asConstant() : std::nullopt;
    if (!c)
      return false;
    IndexExpr rest = e - IndexExpr(*c) * IndexExpr::of(v);
    return any_of(*c > 0 ? l.lower : l.upper, [&](const Bound &b) {
      std::optional<IndexExpr> least = extreme(*c, b);
      return least && isNonNegative(rest + *least, loops.drop_back());
    });
  }

private:
  /// What is not negative only if \p e is not, without one of its quotients by
  /// a constant d: of q = floor(n / d), n - d + 1 <= d * q <= n; and e is not
  /// negative where d * e > -d.
  static std::optional<IndexExpr> withoutQuotient(const IndexExpr &e) {
    for (const auto &[monomial, factor] : e.terms()) {
      if (monomial.size() != 1 || monomial[0].isVar())
        continue;
      const Atom &q = monomial[0];
      std::optional<int64_t> d = q.den().asConstant();
      if (!d)
        continue;
      const IndexExpr c(factor), den(*d);
      const IndexExpr rest = e - c * IndexExpr::floorDiv(q.num(), q.den());
      const IndexExpr least = factor < 0 ? q.num() : q.num() - den + 1;
      return den * rest + c * least + den - 1;
    }
    return std::nullopt;
  }

  /// A lower bound of `c * i`, where \p b bounds i from below for a positive
  /// c, and from above for a negative one.
  std::optional<IndexExpr> extreme(int64_t c, const Bound &b) const {
    if (std::optional<int64_t> value = constantValue(nest, b))
      return IndexExpr(c) * IndexExpr(*value - (c > 0 ? 0 : 1));
    // i >= expr / divisor, and i <= (expr - 1) / divisor.
    if (c % b.divisor != 0)
      return std::nullopt;
    return IndexExpr(c / b.divisor) * (c > 0 ? b.expr : b.expr - 1);
  }

  const Nest &nest;
  unsigned budget = 1000;
};

} // namespace

bool isProvablyNonNegative(const Nest &nest, const IndexExpr &e,
                           ArrayRef<const Loop *> loops) {
  return Minimum(nest).isNonNegative(e, loops);
}

/// \p value and then the bounds that are not constant, each once.
static std::vector<Bound> withConstant(const Nest &nest,
                                       const std::vector<Bound> &bounds,
                                       std::optional<int64_t> value) {
  std::vector<Bound> result;
  if (value)
    result.push_back({IndexExpr(*value), 1});
  for (const Bound &b : bounds)
    if (!constantValue(nest, b) && !is_contained(result, b))
      result.push_back(b);
  return result;
}

/// The greatest of the constants among \p bounds, which are lower ones.
static std::optional<int64_t>
greatestConstant(const Nest &nest, const std::vector<Bound> &bounds) {
  std::optional<int64_t> greatest;
  for (const Bound &b : bounds)
    if (std::optional<int64_t> value = constantValue(nest, b))
      greatest = std::max(greatest.value_or(*value), *value);
  return greatest;
}

void simplifyBounds(const Nest &nest, Loop &l,
                    ArrayRef<const Loop *> enclosing) {
  std::optional<int64_t> upper = constantUpper(nest, l);
  l.lower = withConstant(nest, l.lower, greatestConstant(nest, l.lower));
  l.upper = withConstant(nest, l.upper, upper);
  if (!upper)
    return;
  // ceil(e / d) >= upper where e >= d * (upper - 1) + 1.
  erase_if(l.upper, [&](const Bound &b) {
    IndexExpr least = IndexExpr(b.divisor) * IndexExpr(*upper - 1) + 1;
    return !b.expr.isConstant() &&
           isProvablyNonNegative(nest, b.expr - least, enclosing);
  });
}

} // namespace convopt
