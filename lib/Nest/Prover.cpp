//===- Prover.cpp - Interval proofs about index expressions ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Prover.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Nest/Quotients.h"
#include "convopt/Source/CTypes.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

ProofDomain ProofDomain::of(const std::vector<NodeRef> &enclosing) {
  ProofDomain d;
  for (const NodeRef &n : enclosing) {
    if (const auto *l = dyn_cast<Loop>(n.get())) {
      d.loops.push_back(l);
      // It has an iteration, which bounds the loops around a triangle.
      for (const Bound &u : l->upper)
        for (const Bound &lo : l->lower)
          if (IndexExpr more = hasOne(lo, u);
              lo.divisor == 1 && more.usesLoops())
            d.guards.push_back({Constraint::NonNegative, more});
    } else if (const auto *g = dyn_cast<Guard>(n.get()))
      append_range(d.guards, map_range(g->conditions, multipliedOut));
  }
  return d;
}

void merge(Needs &needs, const Needs &more) {
  for (const IndexExpr &e : more)
    if (!is_contained(needs, e))
      needs.push_back(e);
}

Prover::Prover(const Nest &nest, bool asksFacts)
    : nest(nest), asksFacts(asksFacts), steps(asksFacts ? UINT_MAX : 1000) {
  for (auto [id, p] : enumerate(nest.params)) {
    if (isUnsigned(p))
      known.push_back(IndexExpr::param(id));
    if (isBoolean(p.type))
      known.push_back(1 - IndexExpr::param(id));
  }
}

//===----------------------------------------------------------------------===//
// Facts about parameters
//===----------------------------------------------------------------------===//

/// The variables that a fact says to be at least a constant that is not
/// negative.
static std::vector<Var> nonNegativeVars(ArrayRef<IndexExpr> facts) {
  std::vector<Var> vars;
  for (const IndexExpr &f : facts)
    if (const IndexExpr rest = f - f.constantTerm(); f.constantTerm() <= 0)
      if (std::optional<Var> v = rest.asVar())
        vars.push_back(*v);
  return vars;
}

/// Whether \p m is a product of \p vars and of squares, which need nothing.
static bool isNonNegative(const Monomial &m, ArrayRef<Var> vars) {
  Monomial odd;
  for (const Atom &a : m)
    if (!odd.empty() && odd.back() == a)
      odd.pop_back();
    else
      odd.push_back(a);
  return all_of(odd, [&](const Atom &a) {
    return a.isVar() && is_contained(vars, a.asVar());
  });
}

/// True where \p e, over parameters, follows from one or two \p facts: what is
/// left of it is a sum of products of \p vars.
static bool followsBy(const IndexExpr &e, ArrayRef<IndexExpr> facts,
                      ArrayRef<Var> vars) {
  auto isBad = [&](const auto &t) {
    return t.second < 0 || !isNonNegative(t.first, vars);
  };
  if (!e.isValid())
    return false;
  auto bad = find_if(e.terms(), isBad);
  if (bad == e.terms().end())
    return true;
  // What the facts have of that term must make it good.
  const int64_t c = bad->second;
  const bool mayStay = isNonNegative(bad->first, vars);
  std::vector<int64_t> of{0}; // no fact
  for (const IndexExpr &f : facts) {
    auto t = f.terms().find(bad->first);
    of.push_back(t == f.terms().end() ? 0 : t->second);
  }
  for (size_t i = 1; i != of.size(); ++i)
    for (size_t j = 0; j <= i; ++j) {
      int64_t both;
      if (AddOverflow(of[i], of[j], both) || (mayStay ? both > c : both != c))
        continue;
      IndexExpr rest = e - facts[i - 1];
      if (j != 0)
        rest -= facts[j - 1];
      if (rest.isValid() && none_of(rest.terms(), isBad))
        return true;
    }
  return false;
}

bool Prover::follows(const IndexExpr &e, const Facts &facts) const {
  return followsBy(e, facts, nonNegativeVars(facts));
}

/// Whether \p e is at most zero for whatever sizes that are at least one:
/// `W - W * C * s`. Of a number and sizes (`1 - F`) facts say more.
static bool isNeverPositive(const IndexExpr &e) {
  if (e.constantTerm() != 0 ||
      findQuotient(e, [](const Atom &) { return true; }))
    return false;
  const IndexExpr beyond =
      e.substitute([](Var v) { return std::optional(IndexExpr::of(v) + 1); });
  return beyond.isValid() &&
         all_of(beyond.terms(), [](const auto &t) { return t.second <= 0; });
}

/// The sign of a coefficient, 1 also for one that may be zero; \p needs gets
/// what it rests on.
std::optional<int> Prover::sign(const IndexExpr &e, const Facts &facts,
                                Needs &needs) const {
  if (auto c = e.asConstant())
    return *c < 0 ? -1 : 1;
  if (e.usesLoops())
    return std::nullopt;
  IndexExpr p = nest.expandDefinitions(e);
  if (auto c = p.asConstant())
    return *c < 0 ? -1 : 1;
  if (follows(p, facts))
    return 1;
  if (follows(-p, facts))
    return -1;
  if (!asksFacts)
    return std::nullopt;
  for (int s : {1, -1}) {
    auto product = asProduct(s > 0 ? p : -p);
    if (!product)
      continue;
    // Sizes and strides: at least one.
    for (const Atom &a : *product)
      merge(needs, {IndexExpr::of(a.asVar()) - 1});
    return s;
  }
  if (isNeverPositive(p)) {
    for (Var v : p.vars())
      merge(needs, {IndexExpr::of(v) - 1});
    return -1;
  }
  merge(needs, {reduced(p)});
  return 1;
}

int Prover::signOf(const IndexExpr &e, const ProofDomain &d) const {
  Needs needs;
  const int assumed = sign(e, factsOf(d), needs).value_or(1);
  // Of a loop that descends, strides are subtracted.
  const bool isOther =
      shareOf(needs) == SizeSamples::HardlyAny &&
      shareOf({-nest.expandDefinitions(e)}) >= SizeSamples::Many;
  return isOther ? -assumed : assumed;
}

/// True where \p e is a constant less sizes: large ones make it negative.
static bool onlySubtracts(const IndexExpr &e) {
  return all_of(e.terms(),
                [](const auto &t) { return t.first.empty() || t.second < 0; });
}

Prover::Reach Prover::reach(const IndexExpr &need, const ProofDomain &d) const {
  IndexExpr e = nest.expandDefinitions(need);
  if (follows(-e - 1, factsOf(d)))
    return Reach::Nothing;
  return onlySubtracts(e) ? Reach::Bounded : Reach::Open;
}

/// Drawn where they are first asked for.
const SizeSamples &Prover::sizes() const {
  if (!samples)
    samples.emplace(nest);
  return *samples;
}

SizeSamples::Share Prover::shareOf(const Needs &needs) const {
  SizeSamples::Share share = SizeSamples::NearlyAll;
  for (const IndexExpr &e : needs)
    share = std::min(share, sizes().shareOf(e));
  return share;
}

/// The terms of \p e that hold \p q once, divided by it; none where it occurs
/// squared.
static std::optional<IndexExpr> coefficientOf(const IndexExpr &e,
                                              const Atom &q) {
  IndexExpr result;
  for (const auto &[m, c] : e.terms()) {
    auto n = llvm::count(m, q);
    if (n > 1)
      return std::nullopt;
    if (n == 0)
      continue;
    Monomial rest = m;
    rest.erase(llvm::find(rest, q));
    result += term(rest, c);
  }
  return result;
}

IndexExpr Prover::withoutRounding(const IndexExpr &e) const {
  const IndexExpr p = nest.expandDefinitions(e);
  std::optional<Atom> q = findQuotient(p, [](const Atom &) { return true; });
  std::optional<IndexExpr> c = q ? coefficientOf(p, *q) : std::nullopt;
  std::optional<IndexExpr> times = c ? divideExactly(*c, q->den()) : c;
  if (!times || times->asConstant().value_or(0) <= 0)
    return p;
  return withoutRounding(p - *c * IndexExpr::floorDiv(q->num(), q->den()) +
                         *times * (q->num() - q->den() + 1));
}

/// `e >= 0` with quotient \p q replaced by what it can be least or most:
/// n - d + 1 <= d * floor(n / d) <= n.
std::optional<Needs> Prover::withoutQuotient(const IndexExpr &e, const Atom &q,
                                             const ProofDomain &d, size_t loops,
                                             const Facts &facts) const {
  for (int sign : {1, -1})
    if (auto r = findRemainder(sign * e)) {
      const IndexExpr least = sign * r->rest - (sign < 0 ? r->greatest() : 0);
      std::optional<Needs> needs = minimize(least, d, loops, facts);
      if (needs && needs->empty())
        return needs;
    }
  ASSIGN_OR_RETURN(IndexExpr c, coefficientOf(e, q));
  IndexExpr rest = e - c * IndexExpr::floorDiv(q.num(), q.den());
  Needs needs;
  std::optional<int> den = sign(q.den(), facts, needs);
  if (!den || *den < 0)
    return std::nullopt;
  // Where d divides the coefficient, d * q is replaced; else e is scaled by d.
  std::optional<IndexExpr> multiple = divideExactly(c, q.den());
  IndexExpr factor = multiple ? *multiple : c;
  IndexExpr scaled = multiple ? rest : rest * q.den();
  ASSIGN_OR_RETURN(int s, sign(factor, facts, needs));
  // What is not negative has a quotient that is not.
  if (s > 0) {
    std::optional<Needs> num = minimize(q.num(), d, loops, facts);
    std::optional<Needs> without =
        num && num->empty() ? minimize(rest, d, loops, facts) : std::nullopt;
    if (without && without->empty()) {
      merge(*without, needs);
      return without;
    }
  }
  IndexExpr end = s > 0 ? q.num() - q.den() + 1 : q.num();
  // An integer whose d-fold is more than -d is not negative.
  IndexExpr spare = multiple ? IndexExpr(0) : q.den() - 1;
  ASSIGN_OR_RETURN(Needs result,
                   minimize(scaled + factor * end + spare, d, loops, facts));
  merge(result, needs);
  return result;
}

/// Adds to \p found what \p e is at most with quotient \p q at its greatest;
/// false where the two may not be at theirs at once.
bool Prover::maximizeQuotient(const IndexExpr &e, const Atom &q,
                              const ProofDomain &d, Maximum &found) const {
  if (q.den().usesLoops())
    return false;
  // A remainder is not negative, and less than what divides.
  const IndexExpr above = e + IndexExpr::mod(q.num(), q.den());
  if (coefficientOf(above, q).value_or(1).isZero() &&
      above.terms().size() < e.terms().size()) {
    const std::optional<Maximum> rest = maximum(above, d);
    if (!rest)
      return false;
    append_range(found.values, rest->values);
    merge(found.needs, rest->needs);
    return true;
  }
  const IndexExpr beside = e - IndexExpr::mod(q.num(), q.den());
  if (coefficientOf(beside, q).value_or(1).isZero()) {
    std::optional<Maximum> rest = maximum(beside, d);
    for (const IndexExpr &r : rest ? rest->values : Needs())
      found.values.push_back(r + q.den() - 1);
    merge(found.needs, rest ? rest->needs : Needs());
    return rest.has_value();
  }
  std::optional<IndexExpr> c = coefficientOf(e, q);
  if (!c || c->asConstant().value_or(0) <= 0)
    return false;
  IndexExpr others = e - *c * IndexExpr::floorDiv(q.num(), q.den());
  for (Var v : q.num().vars())
    if (v.kind == Var::Loop && others.uses(v))
      return false;
  std::optional<Maximum> rest = maximum(others, d), num = maximum(q.num(), d);
  if (!rest || !num)
    return false;
  for (const IndexExpr &n : num->values) {
    // floor((d * n - 1) / d) is n - 1, whatever d is.
    Quotient parts = divide(n, q.den());
    IndexExpr end = parts.remainder == IndexExpr(-1)
                        ? IndexExpr(-1)
                        : IndexExpr::floorDiv(parts.remainder, q.den());
    for (const IndexExpr &r : rest->values)
      found.values.push_back(r + *c * (parts.quotient + end));
  }
  merge(found.needs, rest->needs);
  merge(found.needs, num->needs);
  return true;
}

std::optional<Needs> Prover::overParams(const IndexExpr &e,
                                        const Facts &facts) const {
  IndexExpr p = nest.expandDefinitions(e);
  if (!p.isValid())
    return std::nullopt;
  if (auto c = p.asConstant())
    return *c >= 0 ? std::optional<Needs>(Needs()) : std::nullopt;
  if (follows(p, facts))
    return Needs();
  if (std::optional<Atom> q =
          findQuotient(p, [](const Atom &) { return true; })) {
    std::optional<Needs> needs = withoutQuotient(p, *q, {}, 0, facts);
    // Facts about quotients are exact, and bounds of them are not; that a size
    // is positive is neither.
    if (needs && all_of(*needs, [](const IndexExpr &e) {
          return (e + 1).asVar().has_value();
        }))
      return needs;
  }
  return asksFacts ? std::optional(Needs{reduced(p)}) : std::nullopt;
}

bool Prover::isAtMost(const IndexExpr &a, const IndexExpr &b,
                      const ProofDomain &d) const {
  IndexExpr more = nest.expandDefinitions(b - a);
  if (auto c = more.asConstant())
    return *c >= 0;
  Facts facts = factsOf(d);
  append_range(facts, assumedFacts(nest));
  // What all terms are multiplied by, as the length of a row.
  for (Var v : more.vars())
    if (auto rest = divideExactly(more, IndexExpr::of(v));
        rest && follows(IndexExpr::of(v), facts))
      more = *rest;
  std::optional<Needs> needs = overParams(reduced(more), facts);
  return needs && needs->empty();
}

/// What is known because the loops around run at all, and from guards over
/// parameters.
Prover::Facts Prover::factsOf(const ProofDomain &d) const {
  Facts facts = known;
  auto add = [&](const IndexExpr &e) {
    if (!e.usesLoops())
      facts.push_back(nest.expandDefinitions(e));
  };
  for (const Loop *l : d.loops)
    for (const Bound &u : l->upper)
      for (const Bound &lo : l->lower)
        add(hasOne(lo, u));
  for (const Constraint &g : d.guards)
    add(g.expr);
  return facts;
}

} // namespace convopt
