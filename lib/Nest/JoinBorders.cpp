//===- JoinBorders.cpp - Cases that are a border are one statement --------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coordinates.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Nest/Terms.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

namespace {

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
  Joining(const Nest &nest, const BorderFacts &facts,
          ArrayRef<const Loop *> loops, ArrayRef<Case> cases)
      : borders(nest.arrays.size()), nest(nest), facts(facts), loops(loops),
        cases(cases) {
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
  BorderFacts facts;
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
      auto known = find_if(coordinates,
                           [&](const Coordinate &c) { return c.isSame(own); });
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
      return e ==
             nest.expandDefinitions(imageOf(b, c.value, c.extent, isAbove));
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
         all_of(combinationsOf(coordinates, facts),
                [&](const auto &of) { return distinct.count(of) != 0; });
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
static void joinFirst(Nest &nest, const BorderFacts &facts,
                      ArrayRef<const Loop *> loops, Body &body, size_t k) {
  constexpr size_t Most = 27; // three sides of three dimensions
  std::vector<Case> all;
  while (k + all.size() != body.size() && all.size() != Most) {
    std::optional<Case> next = caseOf(nest, body[k + all.size()]);
    if (!next || (!all.empty() &&
                  !isSameButSubscripts(*all[0].statement, *next->statement)))
      break;
    all.push_back(std::move(*next));
  }
  for (; all.size() > 1; all.pop_back()) {
    std::vector<const Case *> inner;
    for (const Case &c : all)
      inner.push_back(&c);
    // Mirrored, one subscript is as good as another, and the plainest is
    // better.
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

static Body joined(Nest &nest, const BorderFacts &facts,
                   const ProofDomain &around, Body body) {
  for (size_t k = 0; k != body.size(); ++k) {
    joinFirst(nest, facts, around.loops, body, k);
    if (const auto *s = dyn_cast<Statement>(body[k].get()))
      body[k] = withWraps(nest, facts, around, *s);
    const Body *inner = bodyOf(*body[k]);
    if (!inner || inner->empty())
      continue;
    ProofDomain within = around;
    if (const auto *l = dyn_cast<Loop>(body[k].get()))
      within.loops.push_back(l);
    else
      append_range(within.guards, cast<Guard>(*body[k]).conditions);
    Body changed = joined(nest, facts, within, *inner);
    body[k] = withBody(*body[k], std::move(changed));
  }
  return body;
}

Nest joinBorders(const Nest &nest) {
  Nest result = nest;
  result.body = joined(result, BorderFacts(nest), {}, nest.body);
  return result;
}

} // namespace convopt
