//===- Unfold.cpp - An element for each iteration that reads --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops n, y and x that were fused, of 14 and 14 iterations, leave
//
//   n = floordiv(p, 196)
//   y = floordiv(p, 14) - 14 * floordiv(p, 196)
//   x = p - 14 * floordiv(p, 14)
//
// where p may be any sum of loops. The coordinate is the sum of multiples of
// them in which no quotient is left, x + 14 * y + 196 * n = p, found by
// elimination; the iterators as functions of it are the expressions above.
//
// A subscript that is not unfolded, 2 * x + s, is a coordinate x_s as it is,
// and the element at coordinates has x_s in its place.
//
//===----------------------------------------------------------------------===//

#include "Unfold.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

namespace {

/// An iterator with its value over the current loops.
struct Iterator {
  unsigned id;
  IndexExpr value;
};

/// A coordinate: multiples of iterators, or a subscript.
struct Coordinate {
  std::vector<Iterator> iterators;
  IndexExpr expr;  // over iterators
  IndexExpr value; // over current loops
  std::optional<unsigned> subscript = std::nullopt;
};

} // namespace

/// A quotient in \p e with its factor.
static std::optional<std::pair<Monomial, int64_t>>
quotientIn(const IndexExpr &e) {
  for (const auto &[monomial, factor] : e.terms())
    if (monomial.size() == 1 && !monomial[0].isVar())
      return std::pair(monomial, factor);
  return std::nullopt;
}

/// The names of \p iterators of which \p is holds, each in quotes.
static std::string namesOf(const Nest &nest, ArrayRef<Iterator> iterators,
                           function_ref<bool(const Iterator &)> is) {
  std::vector<std::string> names;
  for (const Iterator &i : iterators)
    if (is(i))
      names.push_back("'" + nest.loopNames[i.id] + "'");
  return join(names, ", ");
}

/// Why \p last, whose quotients nothing eliminates, is no coordinate.
static Error refuseFused(const Nest &nest, const Statement &s,
                         const Access &access, const Iterator &last,
                         bool isByName) {
  // Those of its fused loop.
  std::vector<Iterator> fused;
  const std::set<unsigned> own = loopsOf(last.value);
  for (auto [id, value] : zip(s.iterators, s.instance))
    if (value.hasQuotient() &&
        any_of(loopsOf(value), [&](unsigned l) { return own.count(l) != 0; }))
      fused.push_back({id, value});
  auto isUsed = [&](const Iterator &i) {
    return any_of(access.subscripts,
                  [&](const IndexExpr &e) { return e.uses(loopVar(i.id)); });
  };
  const std::string others = namesOf(nest, fused, std::not_fn(isUsed));
  return refuse(
      "structure",
      "'" + nest.arrays[access.array].name + "' cannot be unfolded: " +
          (others.empty()
               ? "an iterator of S" + std::to_string(s.id) +
                     " is a quotient of more than fused loops"
               : "of the iterators of a fused loop its subscripts have " +
                     namesOf(nest, fused, isUsed) + " and not " + others),
      s.range,
      !others.empty() ? "take " + others + " out of the fused loop (fuse=)"
      : isByName      ? "name the loops, too, that are fused with others"
                      : "");
}

/// Takes from \p rest what eliminates the quotients of its last iterator.
static std::optional<Coordinate> eliminate(std::vector<Iterator> &rest) {
  Coordinate c{
      {rest.back()}, IndexExpr::loop(rest.back().id), rest.back().value};
  rest.pop_back();
  while (auto quotient = quotientIn(c.value)) {
    const auto [monomial, factor] = *quotient;
    auto other = find_if(rest, [&](const Iterator &i) {
      auto term = i.value.terms().find(monomial);
      return term != i.value.terms().end() && factor % term->second == 0;
    });
    if (other == rest.end())
      return std::nullopt;
    const IndexExpr times(-factor / other->value.terms().at(monomial));
    c.expr += times * IndexExpr::loop(other->id);
    c.value += times * other->value;
    c.iterators.insert(c.iterators.begin(), *other);
    rest.erase(other);
  }
  return c;
}

/// The iterators of \p c as functions of the coordinate \p dim; none where they
/// use something else.
static std::optional<std::vector<std::pair<unsigned, IndexExpr>>>
invert(const Coordinate &c, unsigned dim) {
  const std::set<Var> vars = c.value.vars();
  auto unit = find_if(vars, [&](Var v) { return c.value.coefficient(v) == 1; });
  if (unit == vars.end())
    return std::nullopt;
  const IndexExpr at = IndexExpr::loop(dim) - (c.value - IndexExpr::of(*unit));
  std::vector<std::pair<unsigned, IndexExpr>> values;
  for (const Iterator &i : c.iterators) {
    IndexExpr value = i.value.substitute(*unit, at);
    if (value.vars() != std::set<Var>{loopVar(dim)})
      return std::nullopt;
    values.push_back({i.id, std::move(value)});
  }
  return values;
}

/// The iterators of \p s that \p e uses.
static std::vector<Iterator> iteratorsIn(const Statement &s,
                                         const IndexExpr &e) {
  std::vector<Iterator> used;
  for (auto [id, value] : zip(s.iterators, s.instance))
    if (e.uses(loopVar(id)))
      used.push_back({id, value});
  return used;
}

/// Whether \p names stand for iterators that \p access adds to others.
static Error checkNames(const Nest &nest, const Statement &s,
                        const Access &access, ArrayRef<std::string> names) {
  std::set<std::string> used, added;
  for (const IndexExpr &e : access.subscripts) {
    const std::vector<Iterator> iterators = iteratorsIn(s, e);
    for (const Iterator &i : iterators) {
      used.insert(nest.loopNames[i.id]);
      if (iterators.size() > 1)
        added.insert(nest.loopNames[i.id]);
    }
  }
  for (const std::string &name : names)
    if (!added.count(name))
      return refuse("structure",
                    "'" + nest.arrays[access.array].name +
                        "' cannot be unfolded by '" + name + "': " +
                        (used.count(name) ? "a subscript has it alone"
                                          : "no subscript has it"),
                    s.range,
                    added.empty()
                        ? "stage it without unfolded: no subscript is a sum"
                        : "name one that a subscript adds to another: " +
                              join(added, ", "));
  return Error::success();
}

Expected<Unfolding> unfold(Nest &named, const Statement &s,
                           const Access &access, ArrayRef<std::string> names) {
  RETURN_IF_ERROR(checkNames(named, s, access, names));
  Unfolding u;
  std::set<unsigned> unfolded;
  std::vector<Coordinate> kept;
  for (auto [d, e] : enumerate(access.subscripts)) {
    const std::vector<Iterator> used = iteratorsIn(s, e);
    const bool isKept =
        !names.empty() && used.size() > 1 && none_of(used, [&](Iterator i) {
          return is_contained(names, named.loopNames[i.id]);
        });
    if (isKept)
      kept.push_back({used, e, overCurrentLoops(s, e), unsigned(d)});
    else
      for (const Iterator &i : used)
        unfolded.insert(i.id);
  }
  std::vector<Iterator> rest;
  for (auto [id, value] : zip(s.iterators, s.instance))
    if (unfolded.count(id))
      rest.push_back({id, value});
  std::vector<Coordinate> coordinates;
  while (!rest.empty()) {
    const Iterator last = rest.back();
    std::optional<Coordinate> c = eliminate(rest);
    if (!c)
      return refuseFused(named, s, access, last, !names.empty());
    coordinates.insert(coordinates.begin(), *c);
  }
  append_range(coordinates, kept);
  std::set<unsigned> threads;
  for (const Loop *l : loops(named))
    if (isBlock(l->kind))
      threads.insert(l->id);
  std::stable_partition(
      coordinates.begin(), coordinates.end(), [&](const Coordinate &c) {
        return none_of(loopsOf(c.value),
                       [&](unsigned l) { return threads.count(l); });
      });
  u.subscripts = access.subscripts;
  for (const Coordinate &c : coordinates) {
    u.coordinates.push_back(c.expr);
    if (c.iterators.size() == 1) {
      u.dims.push_back(c.iterators.front().id);
      continue;
    }
    u.dims.push_back(named.addLoopName(join(
        map_range(c.iterators,
                  [&](const Iterator &i) { return named.loopNames[i.id]; }),
        "_")));
    if (c.subscript) {
      u.subscripts[*c.subscript] = IndexExpr::loop(u.dims.back());
      continue;
    }
    auto values = invert(c, u.dims.back());
    if (!values)
      return refuse("structure",
                    "'" + named.arrays[access.array].name +
                        "' cannot be unfolded: iterators of S" +
                        std::to_string(s.id) +
                        " are no functions of their fused loop",
                    s.range, "unfold it before other steps change the loop");
    append_range(u.iterators, *values);
  }
  return u;
}

} // namespace convopt
