//===- ProverLoops.cpp - Least and greatest values over loops -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Polynomial.h"
#include "convopt/Nest/Prover.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

// A bound on the search: subscripts of real nests need a few dozen steps.
static constexpr size_t maxFactTerms = 64;

/// Everything that bounds loop number \p loop of \p d from below or above, as
/// inclusive ends `expr / divisor`, over parameters and outer loops.
std::vector<Bound> Prover::ends(const ProofDomain &d, size_t loop,
                                bool lower) const {
  const Loop &l = *d.loops[loop];
  std::vector<Bound> result;
  for (const Constraint &g : d.guards) {
    Var v = loopVar(l.id);
    std::optional<IndexExpr> c = g.expr.symbolicCoefficient(v);
    std::optional<int64_t> a = c ? c->asConstant() : std::nullopt;
    if (!a || *a == 0)
      continue;
    IndexExpr rest = g.expr - IndexExpr(*a) * IndexExpr::of(v);
    bool inner = any_of(drop_begin(d.loops, loop + 1), [&](const Loop *i) {
      return rest.uses(loopVar(i->id));
    });
    if (inner)
      continue;
    if ((*a > 0) == lower || g.kind == Constraint::Zero)
      result.push_back({*a > 0 ? -rest : rest, std::abs(*a)});
  }
  if (lower)
    append_range(result, l.lower);
  else
    for (const Bound &u : l.upper)
      result.push_back({u.expr - 1, u.divisor});
  return result;
}

/// The least index from the lower \p end on, or the largest up to an upper one.
static IndexExpr wholeEnd(const Bound &end, bool isLower) {
  return IndexExpr::floorDiv(isLower ? end.expr + (end.divisor - 1) : end.expr,
                             end.divisor);
}

Needs Prover::runs(const ProofDomain &d) const {
  const Facts known = factsOf({d.loops, {}});
  Needs needs;
  for (size_t k = 0; k != d.loops.size(); ++k)
    for (const Bound &first : ends(d, k, /*lower=*/true))
      for (const Bound &last : ends(d, k, /*lower=*/false)) {
        const IndexExpr e = nest.expandDefinitions(last.expr - first.expr);
        if (first.divisor == 1 && last.divisor == 1 && !e.usesLoops() &&
            !e.isConstant() && !follows(e, known))
          merge(needs, {e});
      }
  return needs;
}

/// What holds for more sizes is better, and then what is shorter.
bool Prover::isBetter(const Needs &a, const Needs &b) const {
  auto weight = [&](const Needs &n) {
    size_t terms = 0;
    for (const IndexExpr &e : n)
      terms += e.terms().size();
    return std::make_tuple(shareOf(n) == SizeSamples::HardlyAny, n.size(),
                           terms);
  };
  return weight(a) < weight(b);
}

/// How often \p g has a loop that it multiplies by a size where \p c multiplies
/// that.
static std::optional<IndexExpr> timesOf(const Constraint &g, Var loop,
                                        const IndexExpr &c) {
  std::optional<IndexExpr> own = g.expr.symbolicCoefficient(loop);
  std::optional<IndexExpr> times =
      own && !own->isConstant() ? divideExactly(c, *own) : std::nullopt;
  return times && times->asConstant().value_or(0) > 0 ? times : std::nullopt;
}

/// `e >= 0` over the first \p loops loops of \p d.
std::optional<Needs> Prover::minimize(const IndexExpr &e, const ProofDomain &d,
                                      size_t loops, const Facts &facts) const {
  if (!e.isValid() || e.terms().size() > maxFactTerms || steps == 0)
    return std::nullopt;
  --steps;
  if (loops == 0)
    return e.usesLoops() ? std::nullopt : overParams(e, facts);
  Var v = loopVar(d.loops[loops - 1]->id);
  if (!e.uses(v))
    return minimize(e, d, loops - 1, facts);
  if (std::optional<Atom> q = findQuotient(
          e, [&](const Atom &a) { return a.num().uses(v) || a.den().uses(v); }))
    return withoutQuotient(e, *q, d, loops, facts);

  ASSIGN_OR_RETURN(IndexExpr c, e.symbolicCoefficient(v));
  std::optional<Needs> best;
  auto tryWith = [&](const IndexExpr &least, const Needs &needs) {
    std::optional<Needs> n = minimize(least, d, loops - 1, facts);
    if (!n)
      return false;
    const bool isProved = n->empty();
    merge(*n, needs);
    if (!best || isBetter(*n, *best))
      best = n;
    return isProved;
  };
  // `x - j * D` is at least 0 where a guard says so, whatever the sign of D.
  for (const Constraint &g : d.guards)
    if (auto times = timesOf(g, v, c);
        times && tryWith(e - *times * g.expr, {}))
      return best;
  Needs needs;
  std::optional<int> s = sign(c, facts, needs);
  if (!s)
    return best;
  IndexExpr rest = e - c * IndexExpr::of(v);
  for (const Bound &end : ends(d, loops - 1, /*lower=*/*s > 0)) {
    if (tryWith(IndexExpr(end.divisor) * rest + c * end.expr, needs))
      break;
    // That is less than what is reached, as indices are whole.
    if (end.divisor != 1 &&
        tryWith(e.substitute(v, wholeEnd(end, *s > 0)), needs))
      break;
  }
  return best;
}

std::optional<Needs> Prover::nonNegative(const IndexExpr &e,
                                         const ProofDomain &d) const {
  Facts facts = factsOf(d);
  if (e.isConstant() || !e.usesLoops())
    return overParams(e, facts);
  std::optional<Needs> best = minimize(e, d, d.loops.size(), facts);
  if (best && best->empty())
    return best;
  // A guard may say it outright.
  for (const Constraint &g : d.guards) {
    std::optional<Needs> n = minimize(e - g.expr, d, d.loops.size(), facts);
    if (n && n->empty())
      return n;
  }
  return best;
}

bool Prover::isKnown(const IndexExpr &e, ArrayRef<const Loop *> loops) const {
  std::optional<Needs> needs = minimize(reduced(nest.expandDefinitions(e)),
                                        {loops.vec(), {}}, loops.size(), known);
  return needs && needs->empty();
}

/// Adds to \p found what \p e is at most over the first \p loops loops of \p d,
/// by each of their bounds; false where there is none.
bool Prover::maximize(const IndexExpr &e, const ProofDomain &d, size_t loops,
                      const Facts &facts, Maximum &found) const {
  if (!e.isValid() || found.values.size() > maxFactTerms)
    return false;
  if (loops == 0) {
    if (e.usesLoops())
      return false;
    if (!is_contained(found.values, e))
      found.values.push_back(e);
    return true;
  }
  Var v = loopVar(d.loops[loops - 1]->id);
  if (!e.uses(v))
    return maximize(e, d, loops - 1, facts, found);
  std::optional<IndexExpr> c = e.symbolicCoefficient(v);
  Needs needs;
  std::optional<int> s = c ? sign(*c, facts, needs) : std::nullopt;
  if (!s)
    return false;
  bool isBounded = false;
  std::vector<Bound> all = ends(d, loops - 1, /*lower=*/*s < 0);
  const Loop &l = *d.loops[loops - 1];
  std::rotate(all.begin(), all.end() - (*s < 0 ? l.lower : l.upper).size(),
              all.end());
  for (const Bound &end : all) {
    isBounded |= maximize(e.substitute(v, wholeEnd(end, /*isLower=*/*s < 0)), d,
                          loops - 1, facts, found);
  }
  // `y * S` is at most `H - K` where a guard asks for `y * S + K <= H`.
  for (const Constraint &g : d.guards)
    if (auto times = timesOf(g, v, -*c))
      isBounded |= maximize(e + *times * g.expr, d, loops - 1, facts, found);
  if (isBounded)
    merge(found.needs, needs);
  return isBounded;
}

std::vector<IndexExpr> Prover::leastOf(ArrayRef<IndexExpr> all,
                                       const ProofDomain &d) const {
  std::vector<IndexExpr> least;
  for (const IndexExpr &e : all) {
    if (any_of(least, [&](const IndexExpr &o) { return isAtMost(o, e, d); }))
      continue;
    erase_if(least, [&](const IndexExpr &o) { return isAtMost(e, o, d); });
    least.push_back(e);
  }
  return least;
}

std::optional<Prover::Maximum> Prover::maximum(const IndexExpr &e,
                                               const ProofDomain &d) const {
  Maximum found;
  // A guard `c - e >= 0` over parameters and c.
  for (const Constraint &g : d.guards)
    if (IndexExpr c = g.expr + e; e.usesLoops() && !c.usesLoops())
      found.values.push_back(c);
  std::optional<Atom> q =
      findQuotient(e, [](const Atom &a) { return a.num().usesLoops(); });
  if (!q || !maximizeQuotient(e, *q, d, found))
    maximize(e, d, d.loops.size(), factsOf(d), found);
  if (found.values.empty())
    return std::nullopt;
  found.greater = leastOf(found.values, d);
  std::swap(found.greater, found.values);
  return found;
}

} // namespace convopt
