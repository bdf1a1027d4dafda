//===- ThreadParts.cpp - Arithmetic on the index of a thread --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `g = k / (K / G)` of a `k` that the body uses as well is no index of its
/// own, but arithmetic on that one: on all of an index, or on what is left of
/// it (`k = i / (H * W)`).
///
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "ThreadMapper.h"
#include "convopt/Nest/Polynomial.h"

using namespace llvm;

namespace convopt {

/// The value of digit \p d where it is made of \p whole, the digit that the
/// loop \p loop stands for; none where it is not.
static std::optional<IndexExpr> madeOf(const Nest &nest, const ThreadDigit &d,
                                       const ThreadDigit &whole,
                                       unsigned loop) {
  if (whole.modulus || !d.sameIndex(whole) || d.width != whole.width)
    return std::nullopt;
  const IndexExpr divisor = nest.expandDefinitions(d.divisor),
                  of = nest.expandDefinitions(whole.divisor);
  if (divisor == of && !d.modulus)
    return std::nullopt; // it is that digit
  ASSIGN_OR_RETURN(IndexExpr by, of == IndexExpr(1)
                                     ? std::optional(d.divisor)
                                     : divideExactly(divisor, of));
  IndexExpr value = IndexExpr::floorDiv(IndexExpr::loop(loop), by);
  return d.modulus ? IndexExpr::mod(value, *d.modulus) : value;
}

/// Puts \p value, over the loop \p whole, in the place of the loop \p part.
void ThreadMapper::replaceLoop(unsigned part, unsigned whole,
                               const IndexExpr &value) {
  auto replaced = [&](const IndexExpr &e) {
    return e.substitute(loopVar(part), value);
  };
  mapExpressions(nest, replaced);
  for (auto &[variable, e] : b.indices)
    e = replaced(e);
  b.indices.emplace_back(nest.loopNames[part], value);
  for (Obligation &o : b.obligations) {
    o.expr = replaced(o.expr);
    if (o.remainder)
      o.remainder = replaced(*o.remainder);
    for (const std::shared_ptr<Loop> &l : o.loops)
      if (l->id == part)
        l->id = whole;
    for (Constraint &c : o.guards)
      c.expr = replaced(c.expr);
  }
}

/// The value of \p whole, an index that nothing bounds, over the loops of its
/// parts, of which the slowest has a bound; none where some part has no loop.
std::optional<IndexExpr>
ThreadMapper::madeOfParts(const MappedLoop &whole) const {
  if (whole.isGuarded || whole.digit.modulus ||
      whole.digit.divisor != IndexExpr(1))
    return std::nullopt;
  IndexExpr value, next = 1;
  for (;;) {
    auto part = find_if(mapped, [&](const MappedLoop &m) {
      return m.variable != whole.variable && m.digit.sameIndex(whole.digit) &&
             m.digit.width == whole.digit.width &&
             nest.expandDefinitions(m.digit.divisor) == next &&
             (m.digit.modulus || m.isGuarded);
    });
    if (part == mapped.end())
      return std::nullopt;
    value += IndexExpr::loop(part->variable->loop->id) * part->digit.divisor;
    if (!part->digit.modulus)
      return value;
    next = next * nest.expandDefinitions(*part->digit.modulus);
  }
}

/// `i` of `x = i % W` and `y = i / W` is `y * W + x` where `y < H` alone bounds
/// it.
void ThreadMapper::substituteWholes() {
  for (const MappedLoop &whole : std::vector<MappedLoop>(mapped))
    if (std::optional<IndexExpr> value = madeOfParts(whole)) {
      const unsigned loop = whole.variable->loop->id;
      replaceLoop(loop, loop, *value);
      erase_if(mapped, [&](const MappedLoop &m) {
        return m.variable == whole.variable;
      });
    }
}

void ThreadMapper::substituteParts() {
  for (const MappedLoop &whole : std::vector<MappedLoop>(mapped)) {
    const unsigned loop = whole.variable->loop->id;
    if (none_of(mapped, [&](const MappedLoop &m) {
          return m.variable == whole.variable;
        }))
      continue;
    erase_if(mapped, [&](const MappedLoop &m) {
      // A bound of its own says that it is an index of its own.
      std::optional<IndexExpr> value =
          m.isGuarded ? std::nullopt : madeOf(nest, m.digit, whole.digit, loop);
      if (value)
        replaceLoop(m.variable->loop->id, loop, *value);
      return value.has_value();
    });
  }
}

/// Adds what \p e, a part of an index, divides by.
static void addThreadDivisors(const IndexExpr &e,
                              std::vector<IndexExpr> &divisors) {
  for (const auto &[product, times] : e.terms())
    for (const Atom &a : product) {
      if (a.isVar())
        continue;
      addThreadDivisors(a.num(), divisors);
      divisors.push_back(a.den());
    }
}

void assumeThreadDivisors(NestBuilder &b) {
  Nest &nest = b.nest;
  // What an array has of, or a loop that runs.
  std::vector<IndexExpr> positive;
  for (const Array &a : nest.arrays)
    if (!a.isLocal())
      append_range(positive, a.extents);
  for (const Loop *l : loops(nest))
    for (const Bound &end : l->upper)
      if (l->lower.size() == 1 && l->lower[0].divisor == 1 && end.divisor == 1)
        positive.push_back(end.expr - l->lower[0].expr);
  Prover prover(nest);
  for (IndexExpr &e : positive) {
    e = nest.expandDefinitions(e);
    if (!e.usesLoops())
      prover.know(e - 1);
  }
  erase_if(positive,
           [](const IndexExpr &e) { return e.usesLoops() || e.isConstant(); });
  ProofDomain all;
  all.loops = loops(nest);
  // That it times a width covers an extent says more.
  auto isLeast = [&](const IndexExpr &e) {
    return e.asVar() && any_of(nest.assumptions, [&](const Assumption &a) {
             return a.fact.expr.coefficient(*e.asVar()) > 0;
           });
  };
  auto assume = [&](const IndexExpr &e, SourceRange where) {
    if (!hardware::isIn(e) && !isLeast(e) && !prover.isAtMost(1, e, all))
      addAssumption(nest, e - 1, "the divisor is positive", where);
  };
  for (const ThreadVariable &v : b.threads.variables) {
    std::vector<IndexExpr> divisors;
    addThreadDivisors(v.value, divisors);
    for (const IndexExpr &d : divisors) {
      IndexExpr rest = nest.expandDefinitions(d);
      for (const IndexExpr &e : positive)
        if (std::optional<IndexExpr> others = divideExactly(rest, e))
          rest = *others;
      if (std::optional<Monomial> factors = asProduct(rest))
        for (const Atom &size : *factors)
          assume(IndexExpr::of(size.asVar()), v.range);
      else if (!rest.isConstant())
        assume(rest, v.range);
    }
  }
}

void orderThreadLoops(Nest &nest) {
  // The output's dimension that a loop indexes; batch first otherwise.
  std::map<unsigned, size_t> place;
  for (const StatementPath &p : statements(nest)) {
    const Access &a = p.statement->target;
    if (nest.arrays[a.array].isLocal())
      continue;
    for (auto [k, e] : enumerate(a.subscripts))
      for (Var v : e.vars())
        if (v.kind == Var::Loop)
          place.try_emplace(v.id, k + 1);
  }
  std::vector<std::shared_ptr<Loop>> loops;
  Body body = nest.body;
  for (size_t k = 0; k != nest.function.threadMaps.size(); ++k) {
    loops.push_back(std::make_shared<Loop>(*cast<Loop>(body[0].get())));
    body = Body(loops.back()->body);
  }
  stable_sort(loops, [&](const auto &a, const auto &o) {
    return place[a->id] < place[o->id];
  });
  for (auto &l : reverse(loops)) {
    l->body = std::move(body);
    body = {l};
  }
  nest.body = std::move(body);
  stable_sort(nest.function.threadMaps,
              [&](const ThreadMap &a, const ThreadMap &o) {
                return place[a.loop] < place[o.loop];
              });
}

} // namespace convopt
