//===- ShapeChooser.cpp - Sizes from wanted trip counts -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChooser.h"
#include "Reference.h"
#include "ShapeCheck.h"

using namespace llvm;

namespace convopt::verify {

/// Groups before what they divide, and widths of filters before images that
/// have to hold them: what a loop has as its extent is wanted.
void ShapeChooser::orderDivisors() {
  std::vector<IndexExpr> earlier;
  std::set<const Loop *> first;
  for (const Loop *l : order) {
    const IndexExpr count = tripCount(*l);
    if (!count.isValid())
      continue;
    const std::optional<Var> v = count.asVar();
    if (any_of(dividends(count),
               [&](unsigned p) { return divisors.count(p); }) ||
        (v && any_of(earlier, [&](const IndexExpr &e) { return e.uses(*v); })))
      first.insert(l);
    if (!v)
      earlier.push_back(count);
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](const Loop *l) { return first.count(l) != 0; });
}

std::vector<unsigned> ShapeChooser::openParams(const IndexExpr &e) const {
  std::vector<unsigned> open;
  for (Var v : e.vars())
    if (v.kind == Var::Param && isOpen(v.id))
      open.push_back(v.id);
  return open;
}

void ShapeChooser::set(unsigned param, int64_t value) {
  shape.sizes[nest.params[param].name] = value;
  sizes.set(param, value);
}

/// splitmix64 (Steele, Lea and Flood).
uint64_t ShapeChooser::random() {
  uint64_t z = drawn += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Upper minus lower bound over parameters, of two bounds that move with outer
/// loops as a window does where there are such, and not of those that clip it;
/// invalid where all of them depend on loops.
IndexExpr ShapeChooser::tripCount(const Loop &l) const {
  auto read = [&](const Bound &b) {
    const IndexExpr e = nest.expandDefinitions(b.expr);
    return b.divisor == 1 ? e
                          : IndexExpr::floorDiv(e + IndexExpr(b.divisor - 1),
                                                IndexExpr(b.divisor));
  };
  IndexExpr count = IndexExpr::invalid();
  for (const Bound &u : l.upper)
    for (const Bound &b : l.lower) {
      const IndexExpr upper = read(u), trips = upper - read(b);
      const bool isWindow = upper.usesLoops() && !trips.asConstant();
      if (!trips.usesLoops() && (isWindow || !count.isValid()))
        count = trips;
    }
  return count;
}

/// The one of \p open to search for: with more of it there are more trips, and
/// it is an array's own dimension rather than a padding, say.
unsigned ShapeChooser::solvedFor(const IndexExpr &count,
                                 const std::vector<unsigned> &open) const {
  const FlatExpr trips(nest, count, sizes);
  auto tripsWith = [&](unsigned param, int64_t value) {
    Values with = sizes;
    for (unsigned p : open)
      with.set(p, p == param ? value : 8);
    return trips.evaluate(with).value_or(0);
  };
  auto rank = [&](unsigned p) {
    return 2 * (tripsWith(p, 64) > tripsWith(p, 8)) + dimensions.count(p);
  };
  return *llvm::max_element(
      open, [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
}

/// Gives \p param \p least or the next larger value that no assumption forbids,
/// or else a multiple of another size, as pitches are, if there is one.
bool ShapeChooser::settle(unsigned param, int64_t least) {
  for (int64_t value = least; value <= least + 512; ++value)
    if (mayBe(param, value))
      return true;
  std::set<int64_t> others;
  for (unsigned p = 0; p != nest.params.size(); ++p)
    if (std::optional<int64_t> size = sizes.at(p); p != param && size > 1)
      others.insert(*size);
  for (int64_t times = 1; times <= 64; ++times)
    for (int64_t size : others)
      if (size * times > least && mayBe(param, size * times))
        return true;
  return false;
}

/// Gives \p param a value for which \p count comes to \p target, or past it by
/// the least; else to the most that is allowed.
void ShapeChooser::search(const IndexExpr &count, unsigned param,
                          int64_t target) {
  const FlatExpr trips(nest, count, sizes);
  constexpr int64_t few = 4096;
  int64_t best = 1, most = INT64_MIN, end = few;
  for (int64_t value = 1; value <= end; ++value) {
    if (!mayBe(param, value))
      continue;
    const int64_t now = trips.evaluate(sizes).value_or(0);
    // Further than that it is known about where.
    if (const int64_t by = now - most; value == few && now < target && by > 0) {
      value += std::max<int64_t>(0, (target - now) / by - few);
      end = value + 2 * few;
    }
    if (now > most) {
      best = value;
      most = now;
    }
    if (now >= target)
      return;
  }
  set(param, best);
}

/// Gives the open parameters of \p count values for which it comes to
/// \p target, as `search` does.
void ShapeChooser::reach(const IndexExpr &count, int64_t target,
                         const Wanted &wanted) {
  std::vector<unsigned> open = openParams(count);
  if (open.empty())
    return;
  const unsigned param = solvedFor(count, open);
  for (unsigned p : open)
    if (p != param)
      settle(p, divisors.count(p) ? draw(wanted.step)
                : limits.count(p) ? 5
                                  : draw(wanted.padding));
  search(count, param, target);
}

/// Parameters that an equation gives, all others in it being known.
void ShapeChooser::settleEquations() {
  for (bool progress = true; progress;) {
    progress = false;
    for (const Assumption &a : nest.assumptions) {
      if (a.fact.kind != Constraint::Zero)
        continue;
      IndexExpr e = nest.expandDefinitions(a.fact.expr);
      std::vector<unsigned> open = openParams(e);
      if (open.size() != 1)
        continue;
      Var x = paramVar(open.front());
      int64_t by = e.coefficient(x);
      IndexExpr rest = e - IndexExpr(by) * IndexExpr::of(x);
      if (by == 0 || rest.uses(x))
        continue;
      auto value = FlatExpr(nest, rest, sizes).evaluate(sizes);
      if (!value || *value % by != 0)
        continue;
      set(open.front(), -*value / by);
      progress = true;
    }
  }
}

/// Gives \p param \p value; false where it is none of those that \p param may
/// be, or breaks an assumption.
bool ShapeChooser::mayBe(unsigned param, int64_t value) {
  set(param, value);
  return isAmong(nest.params[param], value) &&
         all_of(facts, [&](const Fact &f) {
           return !f.params.count(param) || f.mayHold(sizes);
         });
}

/// Parameters that no loop decides, such as the sizes that guards ask for, take
/// what is drawn or the next larger value that no assumption forbids, in turn;
/// what others are multiples of, or have to hold, comes first.
void ShapeChooser::settleRest(const Wanted &wanted) {
  while (true) {
    std::vector<unsigned> open;
    for (unsigned p = 0; p != nest.params.size(); ++p)
      if (isOpen(p))
        open.push_back(p);
    if (open.empty())
      return;
    auto first = llvm::find_if(open, [&](unsigned p) {
      return none_of(open, [&](unsigned other) {
        return p != other && bases.count({p, other});
      });
    });
    const unsigned p = first == open.end() ? open.front() : *first;
    if (data.count(p) && mayBe(p, draw({-3, -1, 0, 1, 2, 5, largeData})))
      continue;
    if (auto c = choices.find(p); c != choices.end()) {
      if (mayBe(p, draw(c->second)))
        continue;
    }
    const bool isSize = limits.count(p) || nest.params[p].isTemplate;
    // A pitch is as much as has to be, or the next that may be.
    const bool hasGap = isPitch(p) && draw({0, 1});
    if (!settle(p, draw(isSize            ? wanted.rest
                        : shifts.count(p) ? wanted.step
                                          : wanted.padding)))
      settle(p, 1);
    if (const int64_t least = *sizes.at(p); hasGap && !settle(p, least + 1))
      set(p, least);
  }
}

ShapeChooser::ShapeChooser(const Nest &nest)
    : nest(nest), sizes(nest), largeData(isFloating(nest) ? 40000 : 300) {
  for (const Assumption &a : nest.assumptions) {
    facts.push_back({FlatExpr(nest, a.fact.expr, sizes),
                     a.fact.kind == Constraint::Zero,
                     {}});
    for (Var v : nest.expandDefinitions(a.fact.expr).vars())
      facts.back().params.insert(v.id);
  }
  classifyLoops();
  classifySteps();
  classifyLimits();
  classifyData();
  classifyBases();
  orderDivisors();
}

/// How many trips \p l is to have.
int64_t ShapeChooser::target(const Loop &l, const Wanted &wanted, int64_t &rows,
                             int64_t &channels) {
  if (auto aim = wanted.aims.find(l.id); aim != wanted.aims.end())
    return aim->second;
  // Neighbouring sizes differ, so that swapped ones do not pass.
  auto apart = [](int64_t base, int64_t by) {
    return base == 1 ? 1 : base + by;
  };
  switch (uses[l.id]) {
  case LoopUse::Column:
    return draw(wanted.column);
  case LoopUse::Row:
    return apart(draw(wanted.row), rows++);
  case LoopUse::Filter:
    return draw(wanted.filter);
  case LoopUse::InChannel:
    return draw(wanted.inChannels);
  case LoopUse::OutChannel:
    return apart(draw(wanted.outChannels), channels++);
  }
  llvm_unreachable("every use is above");
}

std::optional<Shape> ShapeChooser::choose(const Wanted &wanted) {
  shape = Shape();
  sizes = Values(nest);
  settleEquations();
  for (unsigned p = 0; p != nest.params.size(); ++p)
    if (const auto among = valuesAmong(nest.params[p]);
        !among.empty() && isOpen(p))
      set(p, draw(among));
  settleEquations();
  for (unsigned p : steps)
    if (!limits.count(p) && isOpen(p))
      set(p, draw(wanted.step));
  int64_t rows = 0, channels = 0;
  for (const Loop *l : order) {
    settleEquations();
    IndexExpr count = tripCount(*l);
    if (!count.isValid())
      continue;
    reach(count, target(*l, wanted, rows, channels), wanted);
  }
  settleEquations();
  settleRest(wanted);
  for (const std::string &name : spelledArguments(nest))
    shape.types[name] = usualArgument(nest, name);
  return errorToBool(checkShape(nest, shape)) ? std::nullopt
                                              : std::optional(shape);
}

} // namespace convopt::verify
