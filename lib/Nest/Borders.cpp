//===- Borders.cpp - Arrays that continue past their ends -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Subscript v of a dimension with E elements is inside of it, below or above:
//
//   v >= 0 and E - 1 - v >= 0       -v - 1 >= 0       v - E >= 0
//
// A statement has coordinates, which are such v, and a case for each
// combination of their sides.
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Nest/Prover.h"
#include "convopt/Nest/Terms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

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

namespace {

enum Side : uint8_t { Inside, Below, Above };

struct Coordinate {
  IndexExpr value, extent;
  bool hasBelow = false, hasAbove = false;
  /// How many elements at the ends count as outside: an element that is its own
  /// image may, as in `v > 0 ? v : 0`.
  int64_t low = 0, high = 0;

  Constraint first() const { return {Constraint::NonNegative, value - low}; }
  Constraint last() const {
    return {Constraint::NonNegative, extent - 1 - high - value};
  }
  Constraint below() const {
    return {Constraint::NonNegative, low - 1 - value};
  }
  Constraint above() const {
    return {Constraint::NonNegative, value - extent + high};
  }
  bool has(Side s) const {
    return s == Inside || (s == Below ? hasBelow : hasAbove);
  }
  bool isSame(const Coordinate &o) const {
    return value == o.value && extent == o.extent;
  }
};

/// What is known of sizes where a statement runs.
class Facts {
public:
  explicit Facts(const Nest &nest) : prover(nest, /*asksFacts=*/false) {
    for (const IndexExpr &fact : assumedFacts(nest))
      prover.know(fact);
  }
  /// An array that the statement reads has elements.
  void know(const Coordinate &c) { prover.know(c.extent - 1); }
  /// Whether \p a holds where \p b does, or in all iterations of \p loops.
  bool follows(const Constraint &a, const Constraint &b,
               ArrayRef<const Loop *> loops) const {
    return a.kind == Constraint::NonNegative &&
           (isNotNegative(a.expr - b.expr) || prover.isKnown(a.expr, loops));
  }
  /// Whether two of \p all exclude each other.
  bool isContradiction(ArrayRef<Constraint> all) const {
    return any_of(all, [&](const Constraint &a) {
      return any_of(all, [&](const Constraint &b) {
        return isNotNegative(-a.expr - b.expr - 1);
      });
    });
  }

private:
  bool isNotNegative(const IndexExpr &e) const {
    return !e.usesLoops() && prover.isKnown(e, {});
  }
  Prover prover;
};

/// Which operand, and which of its subscripts.
using Place = std::pair<size_t, size_t>;

/// A statement, and the conditions of the guard around it.
struct Case {
  const Statement *statement;
  std::vector<Constraint> when; // as `simplified` has them
};

/// Cases side by side that may be one statement.
class Joining {
public:
  Joining(const Nest &nest, const Facts &facts, ArrayRef<const Loop *> loops,
          ArrayRef<Case> cases)
      : nest(nest), facts(facts), loops(loops), cases(cases),
        borders(nest.arrays.size()) {
    for (const auto &[id, a] : enumerate(nest.arrays)) {
      borders[id] = a.borders;
      borders[id].resize(a.extents.size());
    }
  }

  /// The statement in the guard that all cases have, where \p inner is the one
  /// that is inside of all ends; null where the cases are no border.
  NodeRef run(const Case &inner, SourceRange range);

  std::vector<std::vector<Border>> borders; // by array

private:
  bool findCoordinates(const Statement &inner);
  bool findBorder(const Place &place);
  bool findEnds(size_t coordinate);
  bool hasEveryCombination() const;
  bool tellsSides(const Case &c, ArrayRef<Side> of) const;

  Border &borderAt(const Place &p) {
    const Access &a = cases[0].statement->operands[p.first].access;
    return borders[a.array][p.second];
  }
  IndexExpr at(const Statement &s, const Place &p) const {
    return nest.expandDefinitions(
        s.operands[p.first].access.subscripts[p.second]);
  }

  const Nest &nest;
  Facts facts;
  ArrayRef<const Loop *> loops; // around the cases
  ArrayRef<Case> cases;
  std::vector<Coordinate> coordinates;
  std::map<Place, size_t> coordinateAt;
  std::vector<std::vector<Side>> sides; // by case and coordinate
  std::vector<Constraint> common;       // of the guards of all cases
};

} // namespace

/// \p c in the form that guards have once quotients are multiplied out, without
/// what its terms have in common.
static Constraint simplified(const Nest &nest, Constraint c) {
  c = multipliedOut({c.kind, nest.expandDefinitions(c.expr)});
  const int64_t by = commonFactor(c.expr);
  if (c.kind == Constraint::Zero || by <= 1)
    return c;
  IndexExpr e;
  for (const auto &[m, k] : c.expr.terms())
    e += term(m, divideFloorSigned(k, by));
  return {c.kind, e};
}

/// Whether \p a and \p b differ in subscripts of reads at most.
static bool isSameButSubscripts(const Statement &a, const Statement &b) {
  if (a.op != b.op || a.fused != b.fused || a.text != b.text ||
      !(a.target == b.target) || a.iterators != b.iterators ||
      a.instance != b.instance || a.operands.size() != b.operands.size())
    return false;
  return all_of(zip(a.operands, b.operands), [](const auto &both) {
    Operand o = std::get<0>(both);
    const Operand &p = std::get<1>(both);
    o.access.subscripts = p.access.subscripts;
    return o == p && !o.access.buffer;
  });
}

/// What the coordinates \p all ask on \p sides.
static std::vector<Constraint> askedOn(ArrayRef<Coordinate> all,
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

/// All combinations of sides of \p all but those that exclude each other.
static std::vector<std::vector<Side>> combinationsOf(ArrayRef<Coordinate> all,
                                                     const Facts &facts) {
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

/// Subscripts that differ among the cases, of inputs alone.
bool Joining::findCoordinates(const Statement &inner) {
  for (const auto &[k, o] : enumerate(inner.operands))
    for (size_t d = 0; d != o.access.subscripts.size(); ++d) {
      const Place place{k, d};
      const IndexExpr value = at(inner, place);
      if (all_of(cases, [&](const Case &c) {
            return at(*c.statement, place) == value;
          }))
        continue;
      const Array &a = nest.arrays[o.access.array];
      if (a.role != Array::Input || !o.guard.empty() || !value.usesLoops())
        return false;
      const Coordinate own{value, nest.expandDefinitions(a.extents[d])};
      auto known = find_if(
          coordinates, [&](const Coordinate &c) { return c.isSame(own); });
      coordinateAt[place] = known - coordinates.begin();
      if (known == coordinates.end())
        coordinates.push_back(own);
    }
  for (const Coordinate &c : coordinates)
    facts.know(c);
  for (std::vector<Side> &of : sides)
    of.assign(coordinates.size(), Inside);
  return !coordinates.empty();
}

/// Has \p place read images by one border, on the sides that other places of
/// its coordinate are on.
bool Joining::findBorder(const Place &place) {
  const size_t number = coordinateAt.at(place);
  Coordinate &c = coordinates[number];
  for (Border b :
       {Border::Clamp, Border::Reflect, Border::Symmetric, Border::Wrap}) {
    if (borderAt(place) != Border::None && borderAt(place) != b)
      continue;
    auto isImage = [&](const IndexExpr &e, bool isAbove) {
      return e == nest.expandDefinitions(
                      imageOf(b, c.value, c.extent, isAbove));
    };
    std::vector<std::vector<Side>> found = sides;
    const bool isOne = all_of(zip(cases, found), [&](auto both) {
      auto &[one, of] = both;
      const IndexExpr e = at(*one.statement, place);
      of[number] = e == c.value ? Inside : isImage(e, false) ? Below : Above;
      return of[number] != Above || isImage(e, true);
    });
    if (!isOne || ((c.hasBelow || c.hasAbove) && found != sides))
      continue;
    borderAt(place) = b;
    sides = std::move(found);
    for (const std::vector<Side> &of : sides) {
      c.hasBelow |= of[number] == Below;
      c.hasAbove |= of[number] == Above;
    }
    return true;
  }
  return false;
}

/// Which elements the cases count as outside of coordinate \p number.
bool Joining::findEnds(size_t number) {
  Coordinate &c = coordinates[number];
  const bool areOwnImages = all_of(coordinateAt, [&](const auto &at) {
    const Border b = borderAt(at.first);
    return at.second != number || b == Border::Clamp || b == Border::Reflect;
  });
  auto isAsked = [&](Side side) {
    const Constraint end =
        simplified(nest, side == Below ? c.below() : c.above());
    return all_of(zip(cases, sides), [&](const auto &both) {
      const auto &[one, of] = both;
      return of[number] != side || is_contained(one.when, end);
    });
  };
  for (auto [side, spare] :
       {std::pair(Below, &c.low), std::pair(Above, &c.high)})
    if (!isAsked(side)) {
      *spare = 1;
      if (!areOwnImages || !isAsked(side))
        return false;
    }
  return true;
}

bool Joining::hasEveryCombination() const {
  const std::set<std::vector<Side>> distinct(sides.begin(), sides.end());
  return distinct.size() == cases.size() &&
         all_of(combinationsOf(coordinates, facts), [&](const auto &of) {
           return distinct.count(of) != 0;
         });
}

/// Whether the guard of \p c holds where its coordinates are on the sides \p of
/// and `common` does, and nowhere else.
bool Joining::tellsSides(const Case &c, ArrayRef<Side> of) const {
  std::vector<Constraint> asked = askedOn(coordinates, of);
  for (Constraint &one : asked)
    one = simplified(nest, one);
  return all_of(asked,
                [&](const Constraint &n) { return is_contained(c.when, n); }) &&
         all_of(c.when, [&](const Constraint &w) {
           return is_contained(common, w) ||
                  any_of(asked, [&](const Constraint &n) {
                    return facts.follows(w, n, loops);
                  });
         });
}

NodeRef Joining::run(const Case &inner, SourceRange range) {
  sides.assign(cases.size(), {});
  if (!findCoordinates(*inner.statement))
    return nullptr;
  for (const auto &[place, number] : coordinateAt)
    if (!findBorder(place))
      return nullptr;
  for (size_t number = 0; number != coordinates.size(); ++number)
    if (!findEnds(number))
      return nullptr;
  common = inner.when;
  for (const Case &c : cases)
    erase_if(common,
             [&](const Constraint &w) { return !is_contained(c.when, w); });
  if (!hasEveryCombination() || !all_of(zip(cases, sides), [&](const auto &c) {
        return tellsSides(std::get<0>(c), std::get<1>(c));
      }))
    return nullptr;
  auto s = std::make_shared<Statement>(*inner.statement);
  s->id = cases[0].statement->id;
  for (const auto &[place, number] : coordinateAt) {
    Operand &o = s->operands[place.first];
    const Coordinate here{o.access.subscripts[place.second],
                          nest.arrays[o.access.array].extents[place.second]};
    if (coordinates[number].hasBelow)
      o.guard.push_back(here.first());
    if (coordinates[number].hasAbove)
      o.guard.push_back(here.last());
    o.otherwise = AtBorder;
  }
  if (common.empty())
    return s;
  auto guard = std::make_shared<Guard>(range);
  guard->conditions = common;
  guard->body.push_back(std::move(s));
  return guard;
}

/// The case that \p node is, if it is a guarded statement.
static std::optional<Case> caseOf(const Nest &nest, const NodeRef &node) {
  const auto *g = dyn_cast<Guard>(node.get());
  const auto *s = g && g->body.size() == 1
                      ? dyn_cast<Statement>(g->body.front().get())
                      : nullptr;
  if (!s)
    return std::nullopt;
  Case c{s, {}};
  for (const Constraint &w : g->conditions)
    c.when.push_back(simplified(nest, w));
  return c;
}

static size_t sizesIn(const Statement &s) {
  size_t count = 0;
  for (const Operand &o : s.operands)
    for (const IndexExpr &e : o.access.subscripts)
      count += count_if(e.vars(), [](Var v) { return v.kind == Var::Param; });
  return count;
}

/// Joins the first cases of \p body from \p k on, if they can be.
static void joinFirst(Nest &nest, const Facts &facts,
                      ArrayRef<const Loop *> loops, Body &body, size_t k) {
  constexpr size_t Most = 27; // three sides of three dimensions
  std::vector<Case> all;
  while (k + all.size() != body.size() && all.size() != Most) {
    std::optional<Case> next = caseOf(nest, body[k + all.size()]);
    if (!next || (!all.empty() && !isSameButSubscripts(*all[0].statement,
                                                       *next->statement)))
      break;
    all.push_back(std::move(*next));
  }
  for (; all.size() > 1; all.pop_back()) {
    std::vector<const Case *> inner;
    for (const Case &c : all)
      inner.push_back(&c);
    // Mirrored, one subscript is as good as another, and the plainest is better.
    stable_sort(inner, [](const Case *a, const Case *b) {
      return sizesIn(*a->statement) < sizesIn(*b->statement);
    });
    for (const Case *c : inner) {
      Joining joining(nest, facts, loops, all);
      const NodeRef one = joining.run(*c, body[k]->range);
      if (!one)
        continue;
      for (auto [a, borders] : zip(nest.arrays, joining.borders))
        if (any_of(borders, [](Border b) { return b != Border::None; }))
          a.borders = std::move(borders);
      body.erase(body.begin() + k, body.begin() + k + all.size());
      body.insert(body.begin() + k, one);
      return;
    }
  }
}

static Body joined(Nest &nest, const Facts &facts,
                   std::vector<const Loop *> &loops, Body body) {
  for (size_t k = 0; k != body.size(); ++k) {
    joinFirst(nest, facts, loops, body, k);
    const Body *inner = bodyOf(*body[k]);
    if (!inner || inner->empty())
      continue;
    const auto *l = dyn_cast<Loop>(body[k].get());
    if (l)
      loops.push_back(l);
    Body within = joined(nest, facts, loops, *inner);
    body[k] = withBody(*body[k], std::move(within));
    if (l)
      loops.pop_back();
  }
  return body;
}

Nest joinBorders(const Nest &nest) {
  Nest result = nest;
  std::vector<const Loop *> around;
  result.body = joined(result, Facts(nest), around, nest.body);
  return result;
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static bool readsBorder(const Operand &o) {
  return o.otherwise == AtBorder && !o.access.buffer;
}

/// The coordinates of \p s, and which of them each subscript is.
static std::vector<Coordinate>
coordinatesOf(const Nest &nest, const Statement &s,
              std::map<Place, size_t> &coordinateAt) {
  std::vector<Coordinate> all;
  for (const auto &[k, o] : enumerate(s.operands)) {
    if (!readsBorder(o))
      continue;
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
      coordinateAt[{k, d}] = known - all.begin();
      if (known == all.end()) {
        all.push_back(std::move(own));
        continue;
      }
      known->hasBelow |= own.hasBelow;
      known->hasAbove |= own.hasAbove;
    }
  }
  return all;
}

static Body casesOf(const Nest &nest, Facts facts, const Statement &s) {
  std::map<Place, size_t> coordinateAt;
  const std::vector<Coordinate> all = coordinatesOf(nest, s, coordinateAt);
  for (const Coordinate &c : all)
    facts.know(c);
  Body body;
  for (const std::vector<Side> &of : combinationsOf(all, facts)) {
    const std::vector<Constraint> asked = askedOn(all, of);
    auto guard = std::make_shared<Guard>(s.range);
    for (const Constraint &c : asked)
      guard->conditions.push_back({c.kind, overCurrentLoops(s, c.expr)});
    auto one = std::make_shared<Statement>(s);
    for (Operand &o : one->operands)
      if (readsBorder(o)) {
        o.guard.clear();
        o.otherwise.clear();
        if (o.readBefore)
          append_range(*o.readBefore, asked);
      }
    for (const auto &[place, number] : coordinateAt)
      if (of[number] != Inside) {
        Access &a = one->operands[place.first].access;
        const Array &array = nest.arrays[a.array];
        IndexExpr &e = a.subscripts[place.second];
        e = imageOf(borderOf(array, place.second), e,
                    array.extents[place.second], of[number] == Above);
      }
    guard->body.push_back(std::move(one));
    body.push_back(std::move(guard));
  }
  return body;
}

Nest withCases(const Nest &nest) {
  const Facts facts(nest);
  Nest result = nest;
  result.body = rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
    const auto *s = dyn_cast<Statement>(n.get());
    return s && any_of(s->operands, readsBorder)
               ? std::optional(casesOf(nest, facts, *s))
               : std::nullopt;
  });
  return result;
}

std::vector<StatementPath> statementsByCase(const Nest &nest) {
  const Facts facts(nest);
  std::vector<StatementPath> all;
  for (const StatementPath &p : statements(nest)) {
    if (none_of(p.statement->operands, readsBorder)) {
      all.push_back(p);
      continue;
    }
    for (const NodeRef &n : casesOf(nest, facts, *p.statement)) {
      const auto &guard = cast<Guard>(*n);
      all.push_back({cast<Statement>(guard.body.front().get()), p.enclosing});
      all.back().enclosing.push_back(n);
    }
  }
  return all;
}

} // namespace convopt
