//===- NestSample.cpp - What sizes make a nest do -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestSample.h"
#include "Reference.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt::verify {

NestSample::NestSample(const Nest &original)
    : nest(withLimitsAsGuards(withCases(original))) {
  for (const Constraint &c : conditions(nest))
    guardLoops.push_back(loopsOf(c.expr));
  const Values layout(nest);
  auto add = [&](const IndexExpr &e) {
    exprs.try_emplace(&e, FlatExpr(nest, e, layout));
  };
  auto addConditions = [&](const Conjunction &all) {
    for (const Constraint &c : all) {
      add(c.expr);
      const bool isOfSizes = !nest.expandDefinitions(c.expr).usesLoops();
      conditionsOf.try_emplace(
          &c, Condition{unsigned(conditionsOf.size()), isOfSizes});
    }
  };
  convopt::walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *l = dyn_cast<Loop>(&n))
      for (const Bound &b : l->bounds())
        add(b.expr);
    if (const auto *g = dyn_cast<Guard>(&n))
      addConditions(g->conditions);
    const auto *s = dyn_cast<Statement>(&n);
    if (!s)
      return;
    for (const Operand &o : s->operands)
      addConditions(o.guard);
    for (const Access *a : accessesOf(*s))
      for (const IndexExpr &e : a->subscripts) {
        add(e);
        steps.try_emplace(&e, limitedStep(e));
      }
  });
}

/// What divides all that loops add to \p subscript; 0 where no guard is over
/// nothing but these.
int64_t NestSample::limitedStep(const IndexExpr &subscript) const {
  const std::set<unsigned> own = loopsOf(subscript);
  if (none_of(guardLoops, [&](const std::set<unsigned> &asked) {
        return !asked.empty() &&
               all_of(asked, [&](unsigned loop) { return own.count(loop); });
      }))
    return 0;
  int64_t step = 0;
  for (unsigned loop : own)
    step = std::gcd(step, subscript.coefficient(loopVar(loop)));
  return std::max<int64_t>(step, 1);
}

bool NestSample::holds(const Constraint &c, const Values &values) const {
  const std::optional<int64_t> value = valueOf(c.expr, values);
  return value && (c.kind == Constraint::Zero ? *value == 0 : *value >= 0);
}

bool NestSample::holds(const Conjunction &all, const Values &values) const {
  return all_of(all, [&](const Constraint &c) { return holds(c, values); });
}

bool NestSample::holds(const Conjunction &all, const Values &values,
                       Features &seen) const {
  const Constraint *failing = nullptr;
  unsigned failed = 0;
  auto see = [&](Seen kind, const Constraint &c, int64_t edge) {
    const unsigned id = conditionsOf.find(&c)->second.id;
    seen.insert(feature(kind, id));
    if (c.kind != Constraint::Zero && valueOf(c.expr, values) == edge)
      seen.insert(feature(kind, id, 1));
  };
  for (const Constraint &c : all)
    if (!holds(c, values)) {
      failing = &c;
      ++failed;
    }
  // That it fails counts where nothing else does: it alone decides.
  if (failed == 1)
    see(Seen::Fails, *failing, -1);
  if (!failed)
    for (const Constraint &c : all)
      see(Seen::Holds, c, 0);
  return !failed;
}

/// 0, 1, 2 for a few, 3 where a second tile of 16, 4 where one of 32 begins.
static int64_t tripClass(int64_t trips) {
  return trips < 2     ? trips
         : trips <= 4  ? 2
         : trips <= 16 ? 6
         : trips <= 32 ? 3
                       : 4;
}

/// The least upper limit or the greatest lower one, and which it is.
std::optional<int64_t> NestSample::limitOf(const std::vector<Bound> &limits,
                                           bool isUpper, const Values &values,
                                           unsigned &active) const {
  std::optional<int64_t> result;
  for (const auto &[k, l] : enumerate(limits)) {
    std::optional<int64_t> v = valueOf(l.expr, values);
    if (!v)
      continue;
    const int64_t bound = verify::divideCeil(*v, l.divisor);
    if (result && (isUpper ? bound >= *result : bound <= *result))
      continue;
    result = bound;
    active = k;
  }
  return result;
}

void NestSample::walkLoop(const Loop &loop, Values &values,
                          Features &seen) const {
  unsigned active = 0;
  std::optional<int64_t> low = limitOf(loop.lower, false, values, active);
  std::optional<int64_t> high = limitOf(loop.upper, true, values, active);
  if (!low || !high)
    return;
  const int64_t trips = std::max<int64_t>(*high - *low, 0);
  seen.insert(feature(Seen::Trips, loop.id, tripClass(trips)));
  if (trips > 2 && trips % 2)
    seen.insert(feature(Seen::Trips, loop.id, 5));
  seen.insert(feature(Seen::Bounds, loop.id, active));
  // Both parities, for strides, and a place between the borders.
  const unsigned slot = values.slot(loopVar(loop.id));
  int64_t last = *low - 1;
  for (int64_t i : {*low, *low + 1, *low + trips / 2, *high - 1}) {
    if (i <= last || i >= *high)
      continue;
    last = i;
    values.set(slot, i);
    walk(loop.body, values, seen);
  }
  values.set(slot, std::nullopt);
}

void NestSample::walk(const Body &body, Values &values, Features &seen) const {
  for (const NodeRef &n : body)
    if (const auto *l = dyn_cast<Loop>(n.get())) {
      walkLoop(*l, values, seen);
    } else if (const auto *g = dyn_cast<Guard>(n.get())) {
      if (holds(g->conditions, values, seen))
        walk(g->body, values, seen);
    } else if (const auto *s = dyn_cast<Statement>(n.get())) {
      seen.insert(feature(Seen::Runs, s->id));
      if (!nest.arrays[s->target.array].isLocal())
        seen.insert(feature(Seen::Stores));
      for (const Operand &o : s->operands)
        if (!o.guard.empty())
          holds(o.guard, values, seen);
    }
}

void NestSample::walk(Values values, Features &seen) const {
  walk(nest.body, values, seen);
}

/// Whether sizes say that nothing of it runs: what it would touch is missing.
bool NestSample::isMissing(const Conjunction &all, const Values &values) const {
  return any_of(all, [&](const Constraint &c) {
    return conditionsOf.find(&c)->second.isOfSizes && !holds(c, values);
  });
}

void NestSample::reach(const Access &access, const Conjunction &guard,
                       const Values &values, bool runs,
                       Reaches &reaches) const {
  if (nest.arrays[access.array].isLocal() || isMissing(guard, values))
    return;
  const bool touches = runs && holds(guard, values);
  for (const auto &[d, e] : enumerate(access.subscripts)) {
    Reach &r = reaches[{access.array, d}];
    const int64_t at = valueOf(e, values).value_or(0);
    r.step = std::max(r.step, steps.find(&e)->second);
    if (touches)
      r.most = std::max(r.most, at);
    else if (at > r.most) // isSnug asks for no others
      r.kept.insert(at);
  }
}

/// Of loops that no guard asks for the last iteration reaches furthest.
void NestSample::reach(const Body &body, Values &values, bool runs,
                       Reaches &reaches) const {
  for (const NodeRef &n : body)
    if (const auto *g = dyn_cast<Guard>(n.get())) {
      if (!isMissing(g->conditions, values))
        reach(g->body, values, runs && holds(g->conditions, values), reaches);
    } else if (const auto *l = dyn_cast<Loop>(n.get())) {
      unsigned active;
      std::optional<int64_t> low = limitOf(l->lower, false, values, active);
      std::optional<int64_t> high = limitOf(l->upper, true, values, active);
      if (!low || !high)
        continue;
      const bool isGuarded =
          any_of(guardLoops, [&](const std::set<unsigned> &asked) {
            return asked.count(l->id) != 0;
          });
      const unsigned slot = values.slot(loopVar(l->id));
      for (int64_t i = isGuarded ? *low : std::max(*low, *high - 1); i < *high;
           ++i) {
        values.set(slot, i);
        reach(l->body, values, runs, reaches);
      }
      values.set(slot, std::nullopt);
    } else if (const auto *s = dyn_cast<Statement>(n.get())) {
      reach(s->target, {}, values, runs, reaches);
      for (const Operand &o : s->operands)
        if (o.kind == Operand::Read)
          reach(o.access, o.guard, values, runs, reaches);
    }
}

bool NestSample::isSnug(Values values) const {
  Reaches reaches;
  if (!guardLoops.empty())
    reach(nest.body, values, true, reaches);
  return all_of(reaches, [](const auto &of) {
    const Reach &r = of.second;
    auto next = r.kept.upper_bound(r.most);
    return r.most >= 0 &&
           (next == r.kept.end() || (r.step != 0 && *next <= r.most + r.step));
  });
}

} // namespace convopt::verify
