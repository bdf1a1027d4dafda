//===- Namings.cpp - What a flat offset may be written as -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayShapes.h"
#include "convopt/Nest/Polynomial.h"

using namespace llvm;

namespace convopt {

static Naming renamed(ArrayRef<PlacedAccess> accesses,
                      function_ref<IndexExpr(const IndexExpr &)> f) {
  Naming n;
  for (const PlacedAccess &a : accesses)
    n.accesses.push_back({{f(a.subscripts[0])}, a.domain});
  return n;
}

/// \p e with the sizes expanded that loops are multiplied by.
static IndexExpr withStridesExpanded(const IndexExpr &e, const Nest &nest) {
  std::set<Var> strides;
  for (const auto &[loops, c] : coefficientsOf(e))
    if (!loops.empty())
      for (Var v : c.vars())
        if (nest.params[v.id].definition)
          strides.insert(v);
  if (strides.empty())
    return e;
  IndexExpr expanded = e.substitute([&](Var v) -> std::optional<IndexExpr> {
    if (!strides.count(v))
      return std::nullopt;
    return nest.params[v.id].definition;
  });
  return isLinearInLoops(expanded) ? withStridesExpanded(expanded, nest) : e;
}

namespace {

/// A stride, and what tells which of two is the larger one.
struct Stride {
  IndexExpr value;
  bool isRow;    // the extent of a loop over columns
  bool isWindow; // several loops have it
  size_t depth;  // of the outermost of these
};

} // namespace

/// What loops are multiplied by, and the sums that have no loop.
static std::pair<std::set<IndexExpr>, std::set<IndexExpr>>
coefficientsOfAll(ArrayRef<PlacedAccess> all) {
  std::pair<std::set<IndexExpr>, std::set<IndexExpr>> result;
  for (const PlacedAccess &a : all)
    for (const auto &[loops, c] : coefficientsOf(a.subscripts[0]))
      if (!loops.empty())
        result.first.insert(c);
      else
        for (const auto &[m, factor] : c.terms())
          result.second.insert(term(m, factor));
  return result;
}

/// The size that \p e is a constant multiple of.
static std::optional<Var> sizeIn(const IndexExpr &e) {
  if (e.terms().size() != 1)
    return std::nullopt;
  return term(e.terms().begin()->first, 1).asVar();
}

namespace {

/// Sizes that multiply loops, alone or as all that a stride shares with another
/// one or with an offset of the same array (`sh` in `p * S * sh + sh`), in two
/// groups. Both are in products: in `(y * s + i * d) * row + x * s + j * d` the
/// one has `row` and the other has `s` and `d`. One is the strides of
/// dimensions, the other steps within them, and nothing says which; where a
/// product has none or one of them, that is a stride of a dimension.
struct StrideSizes {
  std::set<Var> either[2], always;
};

} // namespace

/// None where no product tells sizes apart.
static std::optional<StrideSizes>
strideSizesOf(ArrayRef<PlacedAccess> accesses) {
  const auto [all, offsets] = coefficientsOfAll(accesses);
  std::set<Var> sizes;
  for (const IndexExpr &a : all)
    for (const IndexExpr &b : concat<const IndexExpr>(all, offsets))
      if (auto common = commonFactor(a, b))
        if (std::optional<Var> size = sizeIn(*common))
          sizes.insert(*size);
  std::map<Var, std::set<Var>> others; // in the same product
  for (const IndexExpr &c : all)
    for (Var v : sizes)
      for (Var w : sizes)
        if (v != w && divideExactly(c, IndexExpr::of(v)) &&
            divideExactly(c, IndexExpr::of(w)))
          others[v].insert(w);
  StrideSizes result;
  std::map<Var, int> groups;
  auto assign = [&](Var v, int group, auto &&self) -> bool {
    if (auto [it, isNew] = groups.emplace(v, group); !isNew)
      return it->second == group;
    result.either[group].insert(v);
    return all_of(others[v], [&](Var w) { return self(w, 1 - group, self); });
  };
  for (Var v : sizes)
    if (!others.count(v))
      result.always.insert(v);
    else if (!groups.count(v) && !assign(v, 0, assign))
      return std::nullopt;
  return result;
}

/// Whether a loop of \p a that no stride multiplies ends at \p size.
static bool isRowOf(const PlacedAccess &a, const IndexExpr &size) {
  return any_of(a.domain.loops, [&](const Loop *l) {
    return a.subscripts[0].symbolicCoefficient(loopVar(l->id)) ==
               IndexExpr(1) &&
           is_contained(l->upper, Bound{size, 1});
  });
}

/// Strides of all \p accesses, the largest first as far as one can tell: rows
/// and columns, which windows move along, are inner dimensions, and otherwise
/// loops stand in the order of the dimensions. A multiple of one of \p units is
/// that one.
static std::vector<Stride> stridesOf(ArrayRef<PlacedAccess> accesses,
                                     const std::set<Var> &units) {
  std::vector<Stride> strides;
  for (const PlacedAccess &a : accesses) {
    std::map<IndexExpr, std::vector<size_t>> depths;
    for (const auto &[loops, c] : coefficientsOf(a.subscripts[0])) {
      auto unit = find_if(units, [&, &c = c](Var v) {
        return divideExactly(c, IndexExpr::of(v)).has_value();
      });
      for (auto [depth, l] : enumerate(a.domain.loops))
        if (term(loops, 1).uses(loopVar(l->id)))
          depths[unit == units.end() ? c : IndexExpr::of(*unit)].push_back(
              depth);
    }
    for (auto &[c, found] : depths) {
      const size_t depth = *llvm::min_element(found);
      auto known = find_if(
          strides, [&, &c = c](const Stride &s) { return s.value == c; });
      if (known == strides.end())
        known = strides.insert(known, {c, false, false, depth});
      known->isRow |= isRowOf(a, c);
      known->isWindow |= found.size() > 1;
    }
  }
  stable_sort(strides, [](const Stride &a, const Stride &b) {
    return std::make_tuple(a.isWindow, a.depth) <
           std::make_tuple(b.isWindow, b.depth);
  });
  return strides;
}

/// `plane` as `row * (plane / row)`. Where columns have a stride of their own,
/// `row` is a multiple of that, and nobody says which elements lie between.
/// Those of \p steps are no strides of dimensions.
static std::optional<Naming> withMultiples(ArrayRef<PlacedAccess> accesses,
                                           const std::set<Var> &units = {},
                                           const std::set<Var> &steps = {}) {
  std::vector<Stride> strides = stridesOf(accesses, units);
  erase_if(strides, [&](const Stride &s) {
    return any_of(steps, [&](Var v) { return s.value == IndexExpr::of(v); });
  });
  const size_t known = strides.size();
  erase_if(strides, [](const Stride &s) { return s.value.isConstant(); });
  const bool hasOwnStep = strides.size() == known;
  // The extent of columns is no multiple of another stride.
  if (any_of(drop_end(strides, !strides.empty()),
             [](const Stride &s) { return s.isRow; }))
    return std::nullopt;
  std::map<Var, IndexExpr> multiples;
  std::vector<IndexExpr> facts;
  // The next one, as it is and as a multiple.
  std::optional<IndexExpr> smaller, multiple, step;
  for (const Stride &s : reverse(strides)) {
    std::optional<Var> size = s.value.asVar();
    bool isOwn = size && none_of(strides, [&](const Stride &o) {
                   return o.value != s.value && divideExactly(o.value, s.value);
                 });
    IndexExpr value = s.value;
    if (isOwn && smaller) {
      IndexExpr times = IndexExpr::floorDiv(s.value, *smaller);
      value = *multiple * times;
      multiples.emplace(*size, value);
      facts.push_back(*smaller - 1);
      facts.push_back(*smaller * times - s.value);
    } else if (hasOwnStep && size && s.value == strides.back().value) {
      step = s.value;
      facts.push_back(*step - 1);
    }
    smaller = s.value;
    multiple = value;
  }
  if (multiples.empty() && !step)
    return std::nullopt;
  Naming n = renamed(accesses, [&](const IndexExpr &e) {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      auto it = multiples.find(v);
      return it == multiples.end() ? std::nullopt
                                   : std::make_optional(it->second);
    });
  });
  n.facts = std::move(facts);
  n.step = step;
  return n;
}

/// `C` as `G * (C / G)` where channels in groups have `C / G` as a stride.
static std::optional<Naming>
withExactQuotients(ArrayRef<PlacedAccess> accesses) {
  std::map<Var, IndexExpr> exact;
  std::vector<IndexExpr> facts;
  for (const PlacedAccess &a : accesses)
    for (const auto &[loops, c] : coefficientsOf(a.subscripts[0])) {
      std::optional<Atom> q = findQuotient(c, [](const Atom &a) {
        std::optional<Var> whole = a.num().asVar();
        return whole && !a.den().uses(*whole);
      });
      if (loops.empty() || !q)
        continue;
      IndexExpr value = q->den() * IndexExpr::floorDiv(q->num(), q->den());
      if (exact.emplace(*q->num().asVar(), value).second)
        facts.push_back(value - q->num());
    }
  if (exact.empty())
    return std::nullopt;
  // The quotient itself stays.
  auto keep = [&](const IndexExpr &e) {
    IndexExpr result;
    for (const auto &[m, c] : e.terms()) {
      IndexExpr product(c);
      for (const Atom &a : m) {
        auto it = a.isVar() ? exact.find(a.asVar()) : exact.end();
        product = product * (it == exact.end() ? term({a}, 1) : it->second);
      }
      result += product;
    }
    return result;
  };
  Naming n = renamed(accesses, keep);
  n.facts = std::move(facts);
  return n;
}

std::vector<Naming> namingsOf(ArrayRef<PlacedAccess> accesses,
                              const Nest &nest) {
  std::vector<Naming> result;
  result.push_back(renamed(accesses, [](const IndexExpr &e) { return e; }));
  result.push_back(renamed(accesses, [&](const IndexExpr &e) {
    return withStridesExpanded(e, nest);
  }));
  result.push_back(renamed(accesses, [&](const IndexExpr &e) {
    IndexExpr expanded = nest.expandDefinitions(e);
    return isLinearInLoops(expanded) ? expanded : e;
  }));
  const std::vector<PlacedAccess> expanded = result[1].accesses;
  auto add = [&](std::optional<Naming> n) {
    if (n)
      result.push_back(std::move(*n));
  };
  add(withMultiples(expanded));
  if (const std::optional<StrideSizes> sizes = strideSizesOf(expanded))
    for (int group = 0; group != 2 && (group == 0 || !sizes->either[1].empty());
         ++group) {
      std::set<Var> units = sizes->always;
      units.insert(sizes->either[group].begin(), sizes->either[group].end());
      if (!units.empty())
        add(withMultiples(expanded, units, sizes->either[1 - group]));
    }
  add(withExactQuotients(expanded));
  return result;
}

} // namespace convopt
