//===- SplitLoops.cpp - One loop that stands for two ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `for (k = 0; k < KH * KW; ++k)` with `k / KW` and `k % KW` is two loops, in
/// the same order. So are channels in groups, `k / (K / G)`, where groups are
/// whole: that is an assumption.
///
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Nest/Prover.h"

using namespace llvm;

namespace convopt {
namespace {

/// A loop `0 .. outer * inner`, and what has to hold for that.
struct Split {
  const Loop *loop;
  IndexExpr outer, inner;
  std::optional<IndexExpr> fact; // >= 0
};

/// What divides a loop's iterator alone, and what divides a sum with it.
struct Divisors {
  std::vector<IndexExpr> alone, ofSums;
};

/// Variables and their values.
using Indices = std::vector<std::pair<std::string, IndexExpr>>;

class LoopSplitter {
public:
  LoopSplitter(Nest &nest, Indices indices)
      : nest(nest), indices(std::move(indices)) {}

  /// Splits one loop, or returns false where there is none to split.
  bool splitOne();
  /// Names the parts of loops that became many.
  void nameParts();

private:
  Divisors divisorsOf(const Loop &l) const;
  std::optional<Split> splitBy(const Loop &l, const IndexExpr &divisor) const;
  void apply(const Split &s);
  IndexExpr replace(const IndexExpr &e, Var k, const IndexExpr &value,
                    const Split &s, unsigned outer, unsigned inner) const;
  bool canReplace(const Divisors &divisors, const Split &s) const;
  std::string wishOf(unsigned loop) const;
  void note(unsigned loop, unsigned outer, unsigned inner);

  Nest &nest;
  Indices indices;
  std::map<unsigned, std::vector<unsigned>> parts; // that loops became
  std::map<unsigned, std::string> wishes; // names of parts by what they are of
};

} // namespace

/// Adds what divides \p k in \p e to \p divisors; false where no split of the
/// loop makes that quotients of its digits. A quotient of what has such digits
/// of \p k, as `(k % W + P - j) / S`, is one of the loop that the digit
/// becomes.
static bool addDivisors(const IndexExpr &e, Var k, Divisors &divisors) {
  auto isDigit = [&](const Atom &a) { return a.num().uses(k); };
  auto add = [](std::vector<IndexExpr> &all, const IndexExpr &divisor) {
    if (!is_contained(all, divisor))
      all.push_back(divisor);
  };
  bool isSplit = true;
  const IndexExpr normal = normalizeQuotients(e);
  for (const auto &[m, c] : normal.terms())
    for (const Atom &a : m) {
      if (a.isVar() || (!a.num().uses(k) && !a.den().uses(k)))
        continue;
      if (a.den().usesLoops())
        isSplit = false;
      else if (a.num() == IndexExpr::of(k))
        add(divisors.alone, a.den());
      else if (findQuotient(normalizeQuotients(a.num()), isDigit))
        isSplit &= addDivisors(a.num(), k, divisors);
      else
        add(divisors.ofSums, a.den());
    }
  return isSplit;
}

/// Whether a bound or a guard in \p nest has a quotient of a sum with \p k,
/// which says more about k than about its digits.
static bool isSumBounded(const Nest &nest, Var k) {
  Divisors of;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *l = dyn_cast<Loop>(&n))
      for (const Bound &b : l->bounds())
        addDivisors(b.expr, k, of);
    else if (const auto *g = dyn_cast<Guard>(&n))
      for (const Constraint &c : g->conditions)
        addDivisors(c.expr, k, of);
  });
  return !of.ofSums.empty();
}

/// What divides the iterator of \p l; nothing where no split makes that
/// quotients of its digits. A sum with it may be divided in a subscript by what
/// divides it alone, as `(k % W + j) % W` has (k + j) / W beside k / W.
Divisors LoopSplitter::divisorsOf(const Loop &l) const {
  Divisors result;
  bool isSplit = true;
  Nest looked = nest; // at; loops of the nest itself stay
  mapExpressions(looked, [&](const IndexExpr &e) {
    isSplit &= addDivisors(e, loopVar(l.id), result);
    return e;
  });
  if (!isSplit ||
      !all_of(
          result.ofSums,
          [&](const IndexExpr &d) { return is_contained(result.alone, d); }) ||
      (!result.ofSums.empty() && isSumBounded(nest, loopVar(l.id))))
    return {};
  return result;
}

IndexExpr named(const Nest &nest, const IndexExpr &e) {
  for (const auto &[id, p] : enumerate(nest.params))
    if (p.definition && nest.expandDefinitions(*p.definition) == e)
      return IndexExpr::param(id);
  return e;
}

/// Whether a subscript of \p nest has a quotient of \p k.
static bool isSubscriptDivided(const Nest &nest, Var k) {
  auto isDivided = [&](const Access &a) {
    return any_of(a.subscripts, [&](const IndexExpr &e) {
      return findQuotient(normalizeQuotients(e),
                          [&](const Atom &q) { return q.num().uses(k); })
          .has_value();
    });
  };
  return any_of(statements(nest), [&](const StatementPath &p) {
    return any_of(accessesOf(*p.statement),
                  [&](const Access *a) { return isDivided(*a); });
  });
}

std::optional<Split> LoopSplitter::splitBy(const Loop &l,
                                           const IndexExpr &divisor) const {
  if (l.lower.size() != 1 || !l.lower[0].expr.isZero() || l.upper.size() != 1 ||
      l.upper[0].divisor != 1 || l.upper[0].expr.usesLoops())
    return std::nullopt;
  IndexExpr extent = nest.expandDefinitions(l.upper[0].expr),
            d = nest.expandDefinitions(divisor);
  if (std::optional<IndexExpr> outer = divideExactly(extent, d))
    return Split{&l, named(nest, *outer), named(nest, divisor), std::nullopt};
  Split s{&l, IndexExpr::floorDiv(extent, divisor), divisor, std::nullopt};
  // M / (M / G) is G where G divides M.
  if (std::optional<Atom> q =
          findQuotient(d, [](const Atom &) { return true; }))
    if (d == IndexExpr::floorDiv(q->num(), q->den()) && q->num() == extent)
      s.outer = q->den();
  s.fact = s.outer * d - extent;
  // A quotient by a constant is bounded without.
  if (d.isConstant() ||
      SizeSamples(nest).shareOf(*s.fact) == SizeSamples::HardlyAny)
    return std::nullopt;
  return s;
}

/// `floor(k / d)` for `k = outer * inner extent + inner`.
static std::optional<IndexExpr> quotientOf(const Nest &nest, const Split &s,
                                           const IndexExpr &d,
                                           const IndexExpr &outer,
                                           const IndexExpr &inner) {
  IndexExpr by = nest.expandDefinitions(d),
            width = nest.expandDefinitions(s.inner);
  if (std::optional<IndexExpr> times = divideExactly(by, width))
    return IndexExpr::floorDiv(outer, *times);
  if (std::optional<IndexExpr> times = divideExactly(width, by))
    return outer * *times + IndexExpr::floorDiv(inner, d);
  return std::nullopt;
}

IndexExpr LoopSplitter::replace(const IndexExpr &e, Var k,
                                const IndexExpr &value, const Split &s,
                                unsigned outer, unsigned inner) const {
  if (!e.uses(k))
    return e;
  IndexExpr result, normal = normalizeQuotients(e);
  for (const auto &[m, c] : normal.terms()) {
    IndexExpr product(c);
    for (const Atom &a : m) {
      IndexExpr factor = term({a}, 1);
      if (!a.isVar() && a.num() == IndexExpr::of(k))
        factor = *quotientOf(nest, s, a.den(), IndexExpr::loop(outer),
                             IndexExpr::loop(inner));
      else if (!a.isVar())
        factor = IndexExpr::floorDiv(
            replace(a.num(), k, value, s, outer, inner), a.den());
      product = product * factor.substitute(k, value);
    }
    result += product;
  }
  // Extents have names in some terms and are written out in others.
  IndexExpr expanded = nest.expandDefinitions(result);
  return expanded.terms().size() < result.terms().size() ? expanded : result;
}

/// Whether \p s makes of all that \p divisors divide quotients of its loops. Of
/// a sum the outer loop's part has to be a multiple.
bool LoopSplitter::canReplace(const Divisors &divisors, const Split &s) const {
  return all_of(divisors.alone,
                [&](const IndexExpr &d) {
                  return quotientOf(nest, s, d, 0, 0).has_value();
                }) &&
         all_of(divisors.ofSums, [&](const IndexExpr &d) {
           return divideExactly(nest.expandDefinitions(s.inner),
                                nest.expandDefinitions(d))
               .has_value();
         });
}

void LoopSplitter::apply(const Split &s) {
  Var k = loopVar(s.loop->id);
  std::string name = nest.loopNames[k.id];
  unsigned outer = nest.addLoopName(name + "_div"),
           inner = nest.addLoopName(name + "_mod");
  auto outerLoop = std::make_shared<Loop>(outer, s.loop->range),
       innerLoop = std::make_shared<Loop>(inner, s.loop->range);
  for (Loop *l : {outerLoop.get(), innerLoop.get()})
    l->lower.push_back({0, 1});
  outerLoop->upper.push_back({s.outer, 1});
  innerLoop->upper.push_back({s.inner, 1});
  if (s.fact)
    addAssumption(nest, *s.fact, "'" + name + "' is split into whole parts",
                  s.loop->range);
  IndexExpr value = IndexExpr::loop(outer) * s.inner + IndexExpr::loop(inner);
  auto replaced = [&](const IndexExpr &e) {
    return replace(e, k, value, s, outer, inner);
  };
  mapExpressions(nest, replaced);
  note(k.id, outer, inner);
  for (auto &[variable, e] : indices)
    if (Divisors of; addDivisors(e, k, of) && canReplace(of, s))
      e = replaced(e);
  nest.body =
      rewriteEach<Loop>(nest.body, [&](const Loop *l) -> std::optional<Body> {
        if (l->id != k.id)
          return std::nullopt;
        innerLoop->body = l->body;
        outerLoop->body = {innerLoop};
        return Body{outerLoop};
      });
  std::vector<ThreadMap> &threads = nest.function.threadMaps;
  auto it =
      find_if(threads, [&](const ThreadMap &m) { return m.loop == k.id; });
  if (it == threads.end())
    return;
  std::string text = "(" + it->text + ")",
              by = s.inner.str([&](Var v) { return nest.name(v); });
  const std::string tile = it->tile;
  *it = {inner, text + " % (" + by + ")", /*by=*/"", tile};
  threads.insert(it, {outer, text + " / (" + by + ")", /*by=*/"", tile});
}

bool LoopSplitter::splitOne() {
  for (const Loop *l : loops(nest)) {
    const Divisors divisors = divisorsOf(*l);
    // A guard such as `k % 2 == 0` is affine as it is.
    if (all_of(divisors.alone,
               [](const IndexExpr &d) { return d.isConstant(); }) &&
        !isSubscriptDivided(nest, loopVar(l->id)))
      continue;
    for (const IndexExpr &d : divisors.alone) {
      std::optional<Split> s = splitBy(*l, d);
      if (!s || !canReplace(divisors, *s))
        continue;
      apply(*s);
      return true;
    }
  }
  return false;
}

/// The variable that \p loop is the value of, or what it is a part of.
std::string LoopSplitter::wishOf(unsigned loop) const {
  for (const auto &[variable, value] : indices)
    if (value == IndexExpr::loop(loop))
      return variable;
  auto wish = wishes.find(loop);
  return wish == wishes.end() ? nest.loopNames[loop] : wish->second;
}

/// Has \p outer and \p inner in place of \p loop, before values have them.
void LoopSplitter::note(unsigned loop, unsigned outer, unsigned inner) {
  const std::string wish = wishOf(loop);
  wishes[outer] = wish + "_div";
  wishes[inner] = wish + "_mod";
  for (auto &[first, all] : parts)
    if (auto at = find(all, loop); at != all.end()) {
      *at = outer;
      all.insert(std::next(at), inner);
      return;
    }
  parts[loop] = {outer, inner};
}

void LoopSplitter::nameParts() {
  constexpr size_t few = 3; // whose names say how they were made
  // Threads that are parts of others have left their names.
  auto isTaken = [&](StringRef name) {
    return any_of(
               loops(nest),
               [&](const Loop *l) { return nest.loopNames[l->id] == name; }) ||
           any_of(nest.params,
                  [&](const Param &p) { return p.name == name; }) ||
           any_of(nest.arrays, [&](const Array &a) { return a.name == name; });
  };
  for (const auto &[first, all] : parts)
    for (unsigned part : all)
      if (const std::string wish = wishOf(part);
          all.size() > few && !isTaken(wish))
        nest.loopNames[part] = wish;
}

void splitLoops(Nest &nest, Indices indices) {
  LoopSplitter splitter(nest, std::move(indices));
  while (splitter.splitOne())
    continue;
  splitter.nameParts();
}

} // namespace convopt
