//===- NestSample.cpp - What sizes make a nest do -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestSample.h"
#include "Limits.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace convopt::verify {

NestSample::NestSample(const Nest &original) {
  const Nest nest = withLimitsAsGuards(withCases(original));
  for (const Constraint &c : conditions(nest))
    guardLoops.push_back(loopsOf(c.expr));
  items = read(nest, nest.body, Values(nest));
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

NestSample::Item NestSample::read(const Nest &nest, const Statement &s,
                                  const Values &layout) {
  Item item;
  item.kind = Item::StatementItem;
  item.id = s.id;
  auto touch = [&](const Access &a, int guard) {
    if (nest.arrays[a.array].isLocal())
      return;
    Touch t{a.array, {}, guard};
    for (const IndexExpr &e : a.subscripts)
      t.subscripts.push_back({FlatExpr(nest, e, layout), limitedStep(e)});
    item.touches.push_back(std::move(t));
  };
  touch(s.target, -1);
  item.stores = !item.touches.empty();
  for (const Operand &o : s.operands) {
    if (!o.guard.empty())
      item.conditions.push_back(read(nest, o.guard, layout));
    if (o.kind == Operand::Read)
      touch(o.access, o.guard.empty() ? -1 : item.conditions.size() - 1);
  }
  return item;
}

std::vector<NestSample::Condition>
NestSample::read(const Nest &nest, const std::vector<Constraint> &conjunction,
                 const Values &layout) {
  std::vector<Condition> result;
  for (const Constraint &c : conjunction)
    result.push_back({FlatExpr(nest, c.expr, layout),
                      c.kind == Constraint::Zero, conditionCount++,
                      !nest.expandDefinitions(c.expr).usesLoops()});
  return result;
}

std::vector<NestSample::Item>
NestSample::read(const Nest &nest, const Body &body, const Values &layout) {
  std::vector<Item> result;
  for (const NodeRef &n : body) {
    Item item;
    if (const auto *l = dyn_cast<Loop>(n.get())) {
      item.kind = Item::LoopItem;
      item.id = l->id;
      item.slot = layout.slot(loopVar(l->id));
      item.isGuarded = any_of(guardLoops, [&](const std::set<unsigned> &asked) {
        return asked.count(l->id) != 0;
      });
      for (const Bound &b : l->lower)
        item.lower.push_back({FlatExpr(nest, b.expr, layout), b.divisor});
      for (const Bound &b : l->upper)
        item.upper.push_back({FlatExpr(nest, b.expr, layout), b.divisor});
      item.body = read(nest, l->body, layout);
    } else if (const auto *g = dyn_cast<Guard>(n.get())) {
      item.kind = Item::GuardItem;
      item.conditions.push_back(read(nest, g->conditions, layout));
      item.body = read(nest, g->body, layout);
    } else if (const auto *s = dyn_cast<Statement>(n.get())) {
      item = read(nest, *s, layout);
    } else {
      continue;
    }
    result.push_back(std::move(item));
  }
  return result;
}

bool NestSample::holds(const std::vector<Condition> &conjunction,
                       const Values &values, Features &seen) {
  const Condition *failing = nullptr;
  unsigned failed = 0;
  auto see = [&](Seen kind, const Condition &c, int64_t edge) {
    seen.insert(feature(kind, c.id));
    if (!c.isZero && c.expr.evaluate(values) == edge)
      seen.insert(feature(kind, c.id, 1));
  };
  for (const Condition &c : conjunction)
    if (!c.holds(values)) {
      failing = &c;
      ++failed;
    }
  // That it fails counts where nothing else does: it alone decides.
  if (failed == 1)
    see(Seen::Fails, *failing, -1);
  if (!failed)
    for (const Condition &c : conjunction)
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
std::optional<int64_t> NestSample::limitOf(const std::vector<Limit> &limits,
                                           bool isUpper, const Values &values,
                                           unsigned &active) {
  std::optional<int64_t> result;
  for (const auto &[k, l] : enumerate(limits)) {
    std::optional<int64_t> v = l.expr.evaluate(values);
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

void NestSample::walkLoop(const Item &loop, Values &values, Features &seen) {
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
  int64_t last = *low - 1;
  for (int64_t i : {*low, *low + 1, *low + trips / 2, *high - 1}) {
    if (i <= last || i >= *high)
      continue;
    last = i;
    values.set(loop.slot, i);
    walk(loop.body, values, seen);
  }
  values.set(loop.slot, std::nullopt);
}

void NestSample::walk(const std::vector<Item> &items, Values &values,
                      Features &seen) {
  for (const Item &item : items)
    switch (item.kind) {
    case Item::LoopItem:
      walkLoop(item, values, seen);
      break;
    case Item::GuardItem:
      if (holds(item.conditions[0], values, seen))
        walk(item.body, values, seen);
      break;
    case Item::StatementItem:
      seen.insert(feature(Seen::Runs, item.id));
      if (item.stores)
        seen.insert(feature(Seen::Stores));
      for (const std::vector<Condition> &c : item.conditions)
        holds(c, values, seen);
      break;
    }
}

void NestSample::walk(Values values, Features &seen) const {
  walk(items, values, seen);
}

bool NestSample::holds(const std::vector<Condition> &conjunction,
                       const Values &values) {
  return all_of(conjunction,
                [&](const Condition &c) { return c.holds(values); });
}

/// Whether sizes say that nothing of it runs: what it would touch is missing.
bool NestSample::isMissing(const std::vector<Condition> &conjunction,
                           const Values &values) {
  return any_of(conjunction, [&](const Condition &c) {
    return c.isOfSizes && !c.holds(values);
  });
}

/// Of loops that no guard asks for the last iteration reaches furthest.
void NestSample::reach(const std::vector<Item> &items, Values &values,
                       bool runs, Reaches &reaches) {
  for (const Item &item : items) {
    if (item.kind == Item::GuardItem && !isMissing(item.conditions[0], values))
      reach(item.body, values, runs && holds(item.conditions[0], values),
            reaches);
    if (item.kind == Item::LoopItem) {
      unsigned active;
      std::optional<int64_t> low = limitOf(item.lower, false, values, active);
      std::optional<int64_t> high = limitOf(item.upper, true, values, active);
      if (!low || !high)
        continue;
      for (int64_t i = item.isGuarded ? *low : std::max(*low, *high - 1);
           i < *high; ++i) {
        values.set(item.slot, i);
        reach(item.body, values, runs, reaches);
      }
      values.set(item.slot, std::nullopt);
    }
    for (const Touch &t : item.touches) {
      if (t.guard >= 0 && isMissing(item.conditions[t.guard], values))
        continue;
      const bool touches =
          runs && (t.guard < 0 || holds(item.conditions[t.guard], values));
      for (const auto &[d, e] : enumerate(t.subscripts)) {
        Reach &r = reaches[{t.array, d}];
        const int64_t at = e.expr.evaluate(values).value_or(0);
        r.step = std::max(r.step, e.step);
        if (touches)
          r.most = std::max(r.most, at);
        else if (at > r.most) // isSnug asks for no others
          r.kept.insert(at);
      }
    }
  }
}

bool NestSample::isSnug(Values values) const {
  Reaches reaches;
  if (!guardLoops.empty())
    reach(items, values, true, reaches);
  return all_of(reaches, [](const auto &of) {
    const Reach &r = of.second;
    auto next = r.kept.upper_bound(r.most);
    return r.most >= 0 &&
           (next == r.kept.end() || (r.step != 0 && *next <= r.most + r.step));
  });
}

} // namespace convopt::verify
