//===- SizeSearch.cpp - Sizes for which facts hold ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeSearch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

static std::optional<int64_t> valueOf(const IndexExpr &e,
                                      const SizeValues &values) {
  return e.evaluate([&](Var v) { return values[v.id]; });
}

bool holds(const Constraint &fact, const SizeValues &values) {
  std::optional<int64_t> value = valueOf(fact.expr, values);
  return value && (fact.kind == Constraint::Zero ? *value == 0 : *value >= 0);
}

/// Strides and pitches, which are not 0: what \p e divides or multiplies by.
static std::set<Var> factorsOf(const IndexExpr &e) {
  std::set<Var> all;
  for (const auto &[monomial, coefficient] : e.terms())
    for (const Atom &a : monomial)
      if (!a.isVar()) {
        all.merge(a.num().vars());
        all.merge(a.den().vars());
      } else if (monomial.size() > 1) {
        all.insert(a.asVar());
      }
  return all;
}

SizeSearch::SizeSearch(const Nest &nest, std::vector<Range> ranges,
                       ArrayRef<Constraint> all,
                       function_ref<bool(const SizeValues &)> mayBe)
    : nest(nest), ranges(std::move(ranges)), mayBe(mayBe) {
  std::set<Var> vars;
  for (const Constraint &c : all) {
    facts.push_back({c.kind, nest.expandDefinitions(c.expr)});
    vars.merge(facts.back().expr.vars());
    for (Var v : factorsOf(facts.back().expr))
      this->ranges[v.id].least = std::max<int64_t>(this->ranges[v.id].least, 1);
  }
  for (Var v : vars)
    params.push_back(v.id);
}

/// How many facts do not hold; one more where the nest does not run.
size_t SizeSearch::broken(const SizeValues &values) const {
  return count_if(facts,
                  [&](const Constraint &c) { return !holds(c, values); }) +
         !mayBe(values);
}

SizeValues SizeSearch::with(SizeValues values, unsigned param,
                            int64_t value) const {
  values[param] = value;
  for (auto [id, p] : enumerate(nest.params))
    if (p.definition)
      values[id] = valueOf(*p.definition, values).value_or(0);
  return values;
}

/// 0 where no int64_t holds it.
static int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  return MulOverflow(a, b, result) ? 0 : result;
}

/// What \p param may become: what makes up for a fact that does not hold, also
/// with what it divides by, what others are, their sums and products, and
/// anything.
std::vector<int64_t> SizeSearch::candidates(const SizeValues &values,
                                            unsigned param) {
  const int64_t now = values[param];
  const auto [least, most] = ranges[param];
  std::vector<int64_t> all{now - 1, now + 1, now / 2,
                           2 * now, least,   least + below(most - least + 1)};
  for (const Constraint &c : facts) {
    const std::optional<int64_t> value = valueOf(c.expr, values);
    if (!value || !c.expr.uses(paramVar(param)))
      continue;
    const int64_t by = c.expr.coefficient(paramVar(param));
    const int64_t end = by == 0 ? now : now - *value / by;
    append_range(all, ArrayRef{end - 1, end, end + 1, end + below(8)});
    for (const auto &[monomial, coefficient] : c.expr.terms())
      for (const Atom &a : monomial)
        if (!a.isVar()) {
          const int64_t divisor = valueOf(a.den(), values).value_or(1);
          append_range(all,
                       ArrayRef{end + divisor, now - product(*value, divisor)});
        }
  }
  for (unsigned other : params) {
    const int64_t a = values[other], b = values[params[below(params.size())]];
    append_range(all, ArrayRef{a, a + 1, product(a, b), a + b});
  }
  erase_if(all, [&, least = least, most = most](int64_t value) {
    return value == now || value < least || value > most;
  });
  return all;
}

/// Each step mends one fact by one of its sizes, and breaks the fewest others;
/// these are mended in turn, as a pitch is after what it is made of. With
/// \p onlyGrow it is the size that has to grow least.
bool SizeSearch::search(SizeValues &values, bool onlyGrow) {
  const size_t steps = 32 + 8 * facts.size();
  for (size_t k = 0; k != steps; ++k) {
    std::vector<const Constraint *> open;
    for (const Constraint &c : facts)
      if (!holds(c, values))
        open.push_back(&c);
    if (open.empty() && mayBe(values))
      return true;
    const Constraint *mended =
        open.empty() ? nullptr : open[below(open.size())];
    std::vector<unsigned> own;
    for (unsigned param : params)
      if (!mended || mended->expr.uses(paramVar(param)))
        own.push_back(param);
    if (own.empty())
      return false;
    if (!onlyGrow)
      own = {own[below(own.size())]};
    std::optional<SizeValues> best;
    std::pair<size_t, int64_t> least{SIZE_MAX, 0};
    for (unsigned param : own)
      for (int64_t value : candidates(values, param)) {
        const int64_t growth = value - values[param];
        SizeValues next = with(values, param, value);
        if ((mended ? !holds(*mended, next) : !mayBe(next)) ||
            (onlyGrow && growth < 0))
          continue;
        const std::pair all(broken(next), onlyGrow ? growth : 0);
        if (all < least) {
          least = all;
          best = std::move(next);
        }
      }
    if (best)
      values = std::move(*best);
  }
  return false;
}

/// Moves sizes about while the facts hold, as what a search finds is at an end.
void SizeSearch::mix(SizeValues &values) {
  for (size_t k = 0; k != 4 * params.size(); ++k) {
    const unsigned param = params[below(params.size())];
    const std::vector<int64_t> all = candidates(values, param);
    if (all.empty())
      continue;
    SizeValues next = with(values, param, all[below(all.size())]);
    if (broken(next) == 0)
      values = std::move(next);
  }
}

bool SizeSearch::fulfil(SizeValues &values) {
  if (broken(values) != 0) {
    // Pitches of pitches come of the smallest.
    SizeValues small = values;
    for (unsigned param : params)
      if (ranges[param].most == anything)
        small = with(std::move(small), param, 1);
    if (search(small, /*onlyGrow=*/true))
      values = std::move(small);
    else if (!search(values, /*onlyGrow=*/false))
      return false;
  }
  mix(values);
  return true;
}

std::set<unsigned> SizeSearch::fixedBy(const SizeValues &values) {
  std::set<unsigned> fixed;
  for (unsigned param : params) {
    bool canRun = false, canHold = false; // with another value
    for (int64_t value : candidates(values, param))
      if (SizeValues next = with(values, param, value); mayBe(next)) {
        canRun = true;
        canHold |= broken(next) == 0;
      }
    // Each value of a template has code of its own.
    if (canRun && !canHold && !nest.params[param].isTemplate)
      fixed.insert(param);
  }
  return fixed;
}

} // namespace convopt
