//===- Borders.cpp - Arrays that continue past their ends -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Borders.h"
#include "Coordinates.h"
#include "convopt/Nest/Intervals.h"

using namespace llvm;

namespace convopt {

IndexExpr imageOf(Border b, const IndexExpr &v, const IndexExpr &extent,
                  bool isAbove) {
  switch (b) {
  case Border::None:
    return v;
  case Border::Clamp:
    return isAbove ? extent - 1 : IndexExpr(0);
  case Border::Reflect:
    return isAbove ? 2 * (extent - 1) - v : -v;
  case Border::Symmetric:
    return isAbove ? 2 * extent - 1 - v : -v - 1;
  case Border::Wrap:
    return isAbove ? v - extent : v + extent;
  }
  llvm_unreachable("every border is above");
}

Border borderOf(const Array &array, size_t d) {
  return d < array.borders.size() ? array.borders[d] : Border::None;
}

bool isGuardedByEnds(const Nest &nest, const Operand &o, bool hasBorders) {
  const Array &a = nest.arrays[o.access.array];
  return all_of(o.guard, [&](const Constraint &c) {
    return c.kind == Constraint::NonNegative &&
           any_of(enumerate(zip(o.access.subscripts, a.extents)), [&](const auto
                                                                          &at) {
             const auto &[e, extent] = at.value();
             return (!hasBorders || borderOf(a, at.index()) != Border::None) &&
                    (nest.expandDefinitions(c.expr - e).isZero() ||
                     nest.expandDefinitions(c.expr - extent + 1 + e).isZero());
           });
  });
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

BorderFacts::BorderFacts(const Nest &nest)
    : nest(nest), prover(nest, /*asksFacts=*/false) {
  for (const IndexExpr &fact : assumedFacts(nest))
    prover.know(fact);
}

bool BorderFacts::isAlways(const IndexExpr &e,
                           const ProofDomain &domain) const {
  const std::optional<Needs> needs =
      prover.nonNegative(nest.expandDefinitions(e), domain);
  return needs && needs->empty();
}

bool BorderFacts::follows(const Constraint &a, const Constraint &b,
                          ArrayRef<const Loop *> loops) const {
  return a.kind == Constraint::NonNegative &&
         (isNotNegative(a.expr - b.expr) ||
          isAlways(a.expr, {loops.vec(), {}}));
}

bool BorderFacts::isContradiction(ArrayRef<Constraint> all) const {
  return any_of(all, [&](const Constraint &a) {
    return any_of(all, [&](const Constraint &b) {
      return isNotNegative(-a.expr - b.expr - 1);
    });
  });
}

std::vector<Constraint> askedOn(ArrayRef<Coordinate> all,
                                ArrayRef<Side> sides) {
  std::vector<Constraint> asked;
  for (auto [c, side] : zip(all, sides)) {
    if (side == Inside && c.hasBelow)
      asked.push_back(c.first());
    if (side == Inside && c.hasAbove)
      asked.push_back(c.last());
    if (side != Inside)
      asked.push_back(side == Below ? c.below() : c.above());
  }
  return asked;
}

std::vector<std::vector<Side>> combinationsOf(ArrayRef<Coordinate> all,
                                              const BorderFacts &facts) {
  std::vector<std::vector<Side>> combinations(1);
  for (const Coordinate &c : all)
    for (const std::vector<Side> &before : std::exchange(combinations, {}))
      for (Side side : {Inside, Below, Above})
        if (c.has(side)) {
          combinations.push_back(before);
          combinations.back().push_back(side);
        }
  erase_if(combinations, [&](const std::vector<Side> &sides) {
    return facts.isContradiction(askedOn(all, sides));
  });
  return combinations;
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static bool readsBorder(const Operand &o) {
  return o.otherwise == AtBorder && !o.access.buffer;
}

static bool readsBorders(const Statement &s) {
  return any_of(s.operands, readsBorder);
}

/// The coordinates of \p o, and which of them its subscripts are.
static std::vector<Coordinate>
coordinatesOf(const Nest &nest, const Operand &o,
              std::map<size_t, size_t> &coordinateAt) {
  std::vector<Coordinate> all;
  const Array &a = nest.arrays[o.access.array];
  auto isAsked = [&](const Constraint &c) {
    return any_of(o.guard, [&](const Constraint &g) {
      return nest.expandDefinitions(g.expr - c.expr).isZero();
    });
  };
  for (const auto &[d, e] : enumerate(o.access.subscripts)) {
    Coordinate own{e, a.extents[d]};
    own.hasBelow = isAsked(own.first());
    own.hasAbove = isAsked(own.last());
    if (borderOf(a, d) == Border::None || (!own.hasBelow && !own.hasAbove))
      continue;
    auto known =
        find_if(all, [&](const Coordinate &c) { return c.isSame(own); });
    coordinateAt[d] = known - all.begin();
    if (known == all.end())
      all.push_back(std::move(own));
  }
  return all;
}

/// Adds the cases of operand \p k of \p s to \p body.
static void addCases(const Nest &nest, BorderFacts facts, const Statement &s,
                     size_t k, Body &body) {
  std::map<size_t, size_t> coordinateAt;
  const std::vector<Coordinate> all =
      coordinatesOf(nest, s.operands[k], coordinateAt);
  for (const Coordinate &c : all)
    facts.know(c);
  for (const std::vector<Side> &sides : combinationsOf(all, facts)) {
    const std::vector<Constraint> asked = askedOn(all, sides);
    auto guard = std::make_shared<Guard>(s.range);
    for (const Constraint &c : asked)
      guard->conditions.push_back({c.kind, overCurrentLoops(s, c.expr)});
    auto one = std::make_shared<Statement>(s);
    Operand &o = one->operands[k];
    o.guard.clear();
    o.otherwise.clear();
    if (o.readBefore)
      append_range(*o.readBefore, asked);
    const Array &a = nest.arrays[o.access.array];
    for (const auto &[d, number] : coordinateAt)
      if (sides[number] != Inside) {
        IndexExpr &e = o.access.subscripts[d];
        e = imageOf(a.borders[d], e, a.extents[d], sides[number] == Above);
      }
    guard->body.push_back(std::move(one));
    body.push_back(std::move(guard));
  }
}

static Body casesOf(const Nest &nest, const BorderFacts &facts,
                    const Statement &s) {
  Body body;
  for (size_t k = 0; k != s.operands.size(); ++k)
    if (readsBorder(s.operands[k]))
      addCases(nest, facts, s, k, body);
  return body;
}

Nest withCases(const Nest &nest) {
  const std::vector<StatementPath> all = statements(nest);
  // Most nests have none, and facts cost.
  if (none_of(all, [](const auto &p) { return readsBorders(*p.statement); }))
    return nest;
  const BorderFacts facts(nest);
  unsigned next = 0;
  for (const StatementPath &p : all)
    next = std::max(next, p.statement->id + 1);
  auto taken = [&](const NodeRef &n) -> std::optional<Body> {
    const auto *s = dyn_cast<Statement>(n.get());
    if (!s || !readsBorders(*s))
      return std::nullopt;
    Body cases = casesOf(nest, facts, *s);
    for (NodeRef &c : drop_begin(cases)) {
      auto one =
          std::make_shared<Statement>(cast<Statement>(*bodyOf(*c)->front()));
      one->id = next++;
      c = withBody(*c, {one});
    }
    return cases;
  };
  Nest result = nest;
  result.body = rewrite(nest.body, taken);
  return result;
}

std::vector<StatementPath> statementsByCase(const Nest &nest) {
  std::vector<StatementPath> all;
  std::optional<BorderFacts> facts;
  for (const StatementPath &p : statements(nest)) {
    if (!readsBorders(*p.statement)) {
      all.push_back(p);
      continue;
    }
    if (!facts)
      facts.emplace(nest);
    for (const NodeRef &n : casesOf(nest, *facts, *p.statement)) {
      const auto &guard = cast<Guard>(*n);
      all.push_back({cast<Statement>(guard.body.front().get()), p.enclosing});
      all.back().enclosing.push_back(n);
    }
  }
  return all;
}

} // namespace convopt
