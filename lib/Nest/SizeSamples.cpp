//===- SizeSamples.cpp - How many sizes a fact leaves ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/SizeSamples.h"
#include "SizeSearch.h"

using namespace llvm;

namespace convopt {

static constexpr size_t wanted = 256, tries = 16384;

std::set<Var> loopsOfOutputs(const Nest &nest) {
  std::set<Var> result;
  for (const StatementPath &p : statements(nest))
    if (const Access &a = p.statement->target; !nest.arrays[a.array].isLocal())
      for (const IndexExpr &e : a.subscripts)
        for (Var v : e.vars())
          if (v.kind == Var::Loop)
            result.insert(v);
  return result;
}

static std::optional<int64_t> valueIn(const IndexExpr &e,
                                      const std::vector<int64_t> &values) {
  for (Var v : e.vars())
    if (v.kind == Var::Loop || v.id >= values.size())
      return std::nullopt;
  return e.evaluate([&](Var v) { return values[v.id]; });
}

/// False where a loop is empty for \p values, as far as they tell.
static bool runs(const std::vector<const Loop *> &all,
                 const std::vector<int64_t> &values) {
  return all_of(all, [&](const Loop *l) {
    for (const Bound &lower : l->lower)
      for (const Bound &upper : l->upper) {
        auto a = valueIn(lower.expr, values), b = valueIn(upper.expr, values);
        if (a && b && *a * upper.divisor >= *b * lower.divisor)
          return false;
      }
    return true;
  });
}

/// Sizes that \p e is more of the larger they are, each counted once: the image
/// in `(H + 2 * pad - K) / s + 1`, but neither padding nor filter nor stride.
static void sizesOf(const IndexExpr &e, std::set<Var> &sizes,
                    std::set<Var> &others) {
  for (const auto &[m, c] : e.terms())
    for (const Atom &a : m)
      if (a.isVar()) {
        (c == 1 ? sizes : others).insert(a.asVar());
      } else {
        sizesOf(a.num(), sizes, others);
        for (Var v : a.den().vars())
          others.insert(v);
      }
}

namespace {
/// `moving + sizes >= 0`, or `<= 0`: what has loops, at an end.
struct EndTest {
  IndexExpr moving, sizes;
  bool isLower, isOfWindow, isForward; // which moves as its outputs do

  /// Whether \p v moves what is tested either way, as what is added may.
  bool isMovedBy(Var v) const { return isForward && sizes.coefficient(v) > 0; }
  bool isNearer(const EndTest &o) const {
    return std::pair(sizes.vars().size(), !isLower) <
           std::pair(o.sizes.vars().size(), !o.isLower);
  }
};
} // namespace

static bool isPositive(const IndexExpr &e) {
  return !e.isZero() &&
         all_of(e.terms(), [](const auto &t) { return t.second > 0; });
}

/// None where \p c is no test of an end of outputs or of windows.
static std::optional<EndTest> endTest(const Nest &nest, const Constraint &c,
                                      const std::set<Var> &outputs) {
  IndexExpr e = nest.expandDefinitions(c.expr);
  auto stepOf = [&](Var v) { return e.symbolicCoefficient(v).value_or(0); };
  std::vector<Var> moved, sliding;
  for (Var v : e.vars())
    if (v.kind == Var::Loop)
      (outputs.count(v) ? moved : sliding).push_back(v);
  if ((moved.empty() && sliding.empty()) || c.kind != Constraint::NonNegative)
    return std::nullopt;
  EndTest t;
  t.isOfWindow = !sliding.empty();
  t.isLower = any_of(moved.empty() ? sliding : moved,
                     [&](Var v) { return isPositive(stepOf(v)); });
  if (!t.isLower)
    e = -e;
  t.isForward = all_of(sliding, [&](Var v) { return isPositive(stepOf(v)); });
  t.sizes = e.substitute([](Var v) {
    return v.kind == Var::Loop ? std::optional(IndexExpr(0)) : std::nullopt;
  });
  t.moving = e - t.sizes;
  return t;
}

/// The upper bounds of \p l that end it where outputs do not begin later: of
/// one that counts what a window covers of an image, where the image ends.
static std::vector<const Bound *> clippingBounds(const Loop &l,
                                                 const std::set<Var> &outputs) {
  auto isOfWindow = [&](const Bound &b) {
    return any_of(b.expr.terms(), [&](const auto &t) {
      return t.second > 0 && any_of(t.first, [&](const Atom &a) {
               return a.isVar() && outputs.count(a.asVar());
             });
    });
  };
  std::vector<const Bound *> result;
  if (any_of(l.upper, isOfWindow))
    for (const Bound &b : l.upper)
      if (!b.expr.usesLoops())
        result.push_back(&b);
  return result;
}

/// What multiplies a loop in a guard or a bound, and what divides a size of a
/// bound: outputs are those of a stride.
static void stepsOf(const IndexExpr &e, std::set<Var> &steps) {
  for (const auto &[m, c] : e.terms()) {
    const bool usesLoop = any_of(m, [](const Atom &a) {
      return a.isVar() && a.asVar().kind == Var::Loop;
    });
    for (const Atom &a : m)
      if (!a.isVar()) {
        stepsOf(a.num(), steps);
        if (std::optional<Var> v = a.den().asVar())
          steps.insert(*v);
      } else if (usesLoop && a.asVar().kind == Var::Param) {
        steps.insert(a.asVar());
      }
  }
}

void SizeSamples::findSteps() {
  std::set<Var> steps;
  auto scan = [&](const IndexExpr &e) {
    stepsOf(nest.expandDefinitions(e), steps);
  };
  for (const Guard *g : collect<Guard>(nest.body))
    for (const Constraint &c : g->conditions)
      scan(c.expr);
  for (const Loop *l : loops(nest))
    for (const Bound &b : l->bounds())
      scan(b.expr);
  for (Var v : steps)
    if (v.id < roles.size() && roles[v.id] == Role::Free)
      roles[v.id] = Role::Step;
}

/// Of several tests of one window, the nearest is at the end where it begins:
/// the far one, `x + j - P >= W`, has the image's size besides. So do upper
/// ends of outputs, where rows are not chosen by both.
void SizeSamples::findBorders(const std::set<Var> &outputs) {
  std::map<IndexExpr, std::vector<EndTest>> windows; // by what has loops
  for (const Constraint &c : conditions(nest))
    if (std::optional<EndTest> t = endTest(nest, c, outputs))
      windows[t->moving].push_back(std::move(*t));
  auto boundsLoop = [&](Var v) {
    return any_of(loops(nest), [&](const Loop *l) {
      return any_of(l->bounds(), [&](auto &b) {
        return nest.expandDefinitions(b.expr).uses(v);
      });
    });
  };
  auto take = [&](const EndTest &t, function_ref<Role(Var)> roleOf) {
    for (Var v : t.sizes.vars())
      if (v.id < roles.size() && roles[v.id] == Role::Free)
        roles[v.id] = roleOf(v);
  };
  for (const auto &[moving, tests] : windows) {
    const EndTest &near =
        *min_element(tests, [](const EndTest &a, const EndTest &b) {
          return a.isNearer(b);
        });
    auto isShift = [&](const EndTest &t, Var v) {
      return t.isMovedBy(v) && !boundsLoop(v);
    };
    if (near.isLower && near.isOfWindow)
      take(near, [&](Var v) {
        return isShift(near, v) ? Role::Shift : Role::Border;
      });
    for (const EndTest &t : tests)
      if (const std::set<Var> added = t.sizes.vars();
          t.isLower && added.size() == 1 && isShift(t, *added.begin()))
        take(t, [](Var) { return Role::Shift; });
  }
  std::set<Var> begins; // of outputs: an end is where none of them begins
  for (const auto &[moving, tests] : windows)
    for (const EndTest &t : tests)
      if (!t.isOfWindow && t.isLower)
        begins.merge(t.sizes.vars());
  for (const auto &[moving, tests] : windows)
    for (const EndTest &t : tests)
      take(t, [&](Var v) {
        return t.isOfWindow || !begins.count(v) ? Role::Large : Role::Free;
      });
}

SizeSamples::SizeSamples(const Nest &nest)
    : nest(nest), roles(nest.params.size(), Role::Free) {
  std::set<Var> outputs = loopsOfOutputs(nest);
  // A filter's width bounds outputs as well (`H - K + 1`): it is small.
  for (Role role : {Role::Large, Role::Small}) {
    std::set<Var> sizes, others;
    for (const Loop *l : loops(nest)) {
      const bool isOfOutputs = outputs.count(loopVar(l->id)) != 0;
      const std::vector<const Bound *> clipping = clippingBounds(*l, outputs);
      for (const Bound &b : l->upper)
        if ((isOfOutputs || is_contained(clipping, &b)) ==
            (role == Role::Large))
          sizesOf(nest.expandDefinitions(b.expr), sizes, others);
    }
    for (Var v : sizes)
      if (v.kind == Var::Param && v.id < roles.size() && !others.count(v))
        roles[v.id] = role;
  }
  findSteps();
  findBorders(outputs);
  draw();
}

void SizeSamples::draw() {
  // The distributions of the standard library are not the same everywhere.
  std::minstd_rand random;
  auto below = [&](uint64_t n) { return int64_t(random() % n); };
  std::vector<const Loop *> all = loops(nest);
  for (size_t k = 0; k != tries && samples.size() != wanted; ++k) {
    std::vector<int64_t> values;
    int64_t window = 9; // the narrowest
    for (unsigned id = 0; id != nest.params.size(); ++id) {
      int64_t magnitude = int64_t(1) << below(20);
      int64_t small = 2 + below(8), large = 16 + below(240),
              any = magnitude + below(magnitude), stride = 1 + below(4);
      bool isStride = below(2);
      const Role role = roles[id];
      values.push_back(role == Role::Small  ? small
                       : role == Role::Step ? stride
                       : role != Role::Free ? large
                       : isStride           ? stride
                                            : any);
      if (role == Role::Small)
        window = std::min(window, small);
    }
    for (auto [id, p] : enumerate(nest.params)) {
      if (roles[id] == Role::Border)
        values[id] %= window;
      if (roles[id] == Role::Shift)
        values[id] = below(2) ? values[id] % 17 - 8 : 128 - values[id];
      if (p.definition)
        values[id] = valueIn(*p.definition, values).value_or(0);
    }
    if (runs(all, values))
      samples.push_back(std::move(values));
  }
  // Of nests that hardly ever run nothing can be said.
  if (samples.size() < wanted / 4)
    samples.clear();
}

SizeSamples::Share SizeSamples::shareOf(const IndexExpr &fact) const {
  auto [share, isNew] = shares.try_emplace(fact, NearlyAll);
  if (isNew)
    share->second = judge(fact);
  return share->second;
}

SizeSamples::Share SizeSamples::judge(const IndexExpr &fact) const {
  std::vector<const std::vector<int64_t> *> holding;
  for (const std::vector<int64_t> &values : samples)
    if (valueIn(fact, values).value_or(0) >= 0)
      holding.push_back(&values);
  // The largest value that is drawn stands for all above.
  auto isFixed = [&](Var v) {
    const int64_t value = (*holding[0])[v.id];
    return all_of(holding,
                  [&](const auto *s) { return (*s)[v.id] == value; }) &&
           any_of(samples, [&](const auto &s) { return s[v.id] > value; });
  };
  if (holding.size() * 32 < samples.size() ||
      (!holding.empty() && any_of(fact.vars(), isFixed)))
    return HardlyAny;
  if (holding.size() * 5 < samples.size() * 2)
    return Some;
  return (samples.size() - holding.size()) * 32 > samples.size() ? Many
                                                                 : NearlyAll;
}

static SizeSearch::Range rangeOf(SizeSamples::Role role) {
  switch (role) {
  case SizeSamples::Role::Free:
    return {};
  case SizeSamples::Role::Border:
    return {0, 8};
  case SizeSamples::Role::Shift:
    return {-127, 127};
  case SizeSamples::Role::Step:
    return {1, 4};
  case SizeSamples::Role::Large:
    return {16, 255};
  case SizeSamples::Role::Small:
    return {2, 9};
  }
  llvm_unreachable("a SizeSamples::Role");
}

/// Whether \p facts hold for few of the sizes that were drawn, and for few that
/// come of these where callers choose what they may.
bool SizeSamples::areRare(ArrayRef<Constraint> facts) const {
  constexpr unsigned tried = 32;
  std::vector<SizeSearch::Range> ranges;
  for (Role role : roles)
    ranges.push_back(rangeOf(role));
  const std::vector<const Loop *> all = loops(nest);
  auto mayBe = [&](const SizeValues &v) { return runs(all, v); };
  SizeSearch search(nest, std::move(ranges), facts, mayBe);
  unsigned fulfilled = 0;
  std::map<unsigned, unsigned> fixed; // how often, by parameter
  for (const SizeValues &drawn : ArrayRef(samples).take_front(tried)) {
    SizeValues values = drawn;
    if (!search.fulfil(values))
      continue;
    ++fulfilled;
    for (unsigned param : search.fixedBy(values))
      ++fixed[param];
  }
  return fulfilled < tried / 4 || any_of(fixed, [&](const auto &known) {
           return known.second == fulfilled;
         });
}

std::vector<size_t>
SizeSamples::rareTogether(ArrayRef<Constraint> facts) const {
  if (samples.empty() || !areRare(facts))
    return {};
  std::vector<size_t> few(facts.size());
  std::iota(few.begin(), few.end(), 0);
  for (size_t k = 0; k != facts.size(); ++k) {
    std::vector<size_t> rest = few;
    llvm::erase(rest, k);
    std::vector<Constraint> left;
    for (size_t id : rest)
      left.push_back(facts[id]);
    if (areRare(left))
      few = std::move(rest);
  }
  // More than a few may be too many for the search, and not for callers.
  constexpr size_t most = 4;
  return few.size() <= most ? few : std::vector<size_t>();
}

} // namespace convopt
