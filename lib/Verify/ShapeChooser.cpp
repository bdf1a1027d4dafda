//===- ShapeChooser.cpp - Sizes from wanted trip counts -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChooser.h"
#include "ShapeCheck.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Verify/RhsText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace convopt::verify {

void ShapeChooser::classifyLoops() {
  const LoopsByUse byUse = loopsByUse(nest);
  std::optional<unsigned> column;
  for (const StatementPath &path : statements(nest))
    if (const Access &target = path.statement->target;
        !nest.arrays[target.array].isLocal())
      for (const IndexExpr &e : target.subscripts)
        if (std::set<unsigned> used = loopsOf(e); !used.empty())
          column = *used.rbegin();
  for (const Loop *l : loops(nest)) {
    const bool slides = byUse.window.count(l->id);
    uses[l->id] = !byUse.parallel.count(l->id)
                      ? (slides ? LoopUse::Filter : LoopUse::InChannel)
                  : l->id == column ? LoopUse::Column
                  : slides          ? LoopUse::Row
                                    : LoopUse::OutChannel;
    order.push_back(l);
  }
  llvm::stable_sort(order, [&](const Loop *a, const Loop *b) {
    return !byUse.parallel.count(a->id) && byUse.parallel.count(b->id);
  });
  // The contiguous dimension first: sizes that it shares are set for it.
  auto firstParallel = llvm::find_if(
      order, [&](const Loop *l) { return byUse.parallel.count(l->id); });
  std::stable_partition(firstParallel, order.end(), [&](const Loop *l) {
    return uses[l->id] == LoopUse::Column;
  });
}

void ShapeChooser::classifySteps() {
  auto scan = [&](const IndexExpr &e, auto &&self) -> void {
    for (const auto &[monomial, coefficient] : e.terms()) {
      const bool hasLoop = any_of(monomial, [](const Atom &a) {
        return a.isVar() && a.asVar().kind == Var::Loop;
      });
      for (const Atom &a : monomial) {
        if (hasLoop && a.isVar() && a.asVar().kind == Var::Param)
          steps.insert(a.asVar().id);
        if (a.isVar())
          continue;
        self(a.num(), self);
        for (Var v : a.den().vars())
          if (v.kind == Var::Param) {
            steps.insert(v.id);
            divisors.insert(v.id);
          }
      }
    }
  };
  for (const StatementPath &path : statements(nest))
    for (const Operand &o : path.statement->operands)
      for (const IndexExpr &e : o.access.subscripts)
        scan(nest.expandDefinitions(e), scan);
  for (const Loop *l : order)
    for (const Bound &b : l->upper)
      scan(nest.expandDefinitions(b.expr), scan);
  for (const Array &a : nest.arrays)
    for (const IndexExpr &e : a.extents)
      if (auto v = e.asVar(); v && !nest.params[v->id].definition)
        dimensions.insert(v->id);
}

/// The width in `x + j < W`, unlike the padding in `x + j - P >= 0`.
void ShapeChooser::classifyLimits() {
  std::set<unsigned> others;
  auto scan = [&](const IndexExpr &e) {
    const IndexExpr expanded = nest.expandDefinitions(e);
    for (const auto &[monomial, coefficient] : expanded.terms())
      if (monomial.size() == 1 && monomial[0].isVar() &&
          monomial[0].asVar().kind == Var::Param)
        (coefficient > 0 ? limits : others).insert(monomial[0].asVar().id);
  };
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *g = dyn_cast<Guard>(&n))
      for (const Constraint &c : g->conditions)
        scan(c.expr);
    if (const auto *s = dyn_cast<Statement>(&n))
      for (const Operand &o : s->operands)
        for (const Constraint &c : o.guard)
          scan(c.expr);
  });
  for (unsigned p : others)
    limits.erase(p);
  for (unsigned p : dimensions)
    limits.insert(p);
}

/// `a * p + b`, `a` not zero, over one parameter; else none.
static std::optional<unsigned> onlyParam(const IndexExpr &e) {
  const std::set<Var> vars = e.vars();
  return vars.size() == 1 && vars.begin()->kind == Var::Param &&
                 e.coefficient(*vars.begin()) && !e.hasQuotient()
             ? std::optional(vars.begin()->id)
             : std::nullopt;
}

/// The zero point in `(in[i] - zero) * w[i]`: no bound, guard, subscript or
/// fact mentions it, and it may be negative. A kind in `if (kind == 2)`: guards
/// compare it with numbers.
void ShapeChooser::classifyData() {
  for (const auto &[id, p] : enumerate(nest.params))
    if (!p.definition)
      data.insert(id);
  std::set<unsigned> withFacts;
  auto scan = [&](const IndexExpr &e) {
    for (Var v : nest.expandDefinitions(e).vars())
      if (v.kind == Var::Param)
        data.erase(v.id);
  };
  auto scanAll = [&](ArrayRef<Constraint> guard) {
    for (const Constraint &c : guard) {
      const IndexExpr e = nest.expandDefinitions(c.expr);
      const std::optional<unsigned> p = onlyParam(e);
      if (!p) {
        scan(e);
        continue;
      }
      const int64_t value = -e.constantTerm() / e.coefficient(paramVar(*p));
      for (int64_t v : {value - 1, value, value + 1})
        if (v >= 0 || nest.params[*p].type == "int")
          choices[*p].push_back(v);
    }
  };
  for (const Array &a : nest.arrays)
    for_each(concat<const IndexExpr>(a.extents, a.footprint), scan);
  for (const Assumption &a : nest.assumptions)
    if (auto p = onlyParam(nest.expandDefinitions(a.fact.expr)))
      withFacts.insert(*p);
    else
      scan(a.fact.expr);
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *l = dyn_cast<Loop>(&n))
      for (const Bound &b : concat<const Bound>(l->lower, l->upper))
        scan(b.expr);
    if (const auto *g = dyn_cast<Guard>(&n))
      scanAll(g->conditions);
    const auto *s = dyn_cast<Statement>(&n);
    if (!s)
      return;
    for_each(s->target.subscripts, scan);
    for (const Operand &o : s->operands) {
      scanAll(o.guard);
      for_each(o.access.subscripts, scan);
      if (!isPartial(s->text))
        continue;
      scan(o.index);
      for (Var v : o.index.vars())
        if (v.kind == Var::Param)
          shifts.insert(v.id);
    }
  });
  for (const auto &[id, p] : enumerate(nest.params)) {
    if (!data.count(id))
      choices.erase(id);
    if (choices.count(id) || withFacts.count(id) || p.isTemplate ||
        p.type != "int")
      data.erase(id);
  }
}

/// The pitch of an image in `floor(image / row) >= height`, with the row's; the
/// height in `height >= top + rows`, with what it has to hold.
void ShapeChooser::classifyBases() {
  for (const Assumption &a : nest.assumptions) {
    const IndexExpr fact = nest.expandDefinitions(a.fact.expr);
    std::set<Var> above, below;
    for (const auto &[monomial, coefficient] : fact.terms())
      for (const Atom &atom : monomial)
        if (atom.isVar())
          (coefficient > 0 ? above : below).insert(atom.asVar());
        else
          for (Var of : atom.num().vars())
            for (Var by : atom.den().vars())
              bases.insert({of.id, by.id});
    if (a.fact.kind == Constraint::NonNegative)
      for (Var large : above)
        for (Var small : below)
          bases.insert({large.id, small.id});
  }
}

/// Groups before what they divide: what a loop has as its extent is wanted.
void ShapeChooser::orderDivisors() {
  std::stable_partition(order.begin(), order.end(), [&](const Loop *l) {
    const IndexExpr count = tripCount(*l);
    const std::optional<Var> v = count.isValid() ? count.asVar() : std::nullopt;
    return v && divisors.count(v->id);
  });
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
int64_t ShapeChooser::draw(const std::vector<int64_t> &from) {
  uint64_t z = random += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return from[(z ^ (z >> 31)) % from.size()];
}

/// Upper minus lower bound over parameters; invalid where it depends on loops.
IndexExpr ShapeChooser::tripCount(const Loop &l) const {
  auto one = [&](ArrayRef<Bound> bounds) -> IndexExpr {
    for (const Bound &b : bounds) {
      IndexExpr e = nest.expandDefinitions(b.expr);
      if (!e.usesLoops())
        return b.divisor == 1
                   ? e
                   : IndexExpr::floorDiv(e + IndexExpr(b.divisor - 1),
                                         IndexExpr(b.divisor));
    }
    return IndexExpr::invalid();
  };
  return one(l.upper) - one(l.lower);
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
  auto holds = [&](int64_t value) {
    set(param, value);
    return assumptionsHold();
  };
  for (int64_t value = least; value <= least + 512; ++value)
    if (holds(value))
      return true;
  std::set<int64_t> others;
  for (unsigned p = 0; p != nest.params.size(); ++p)
    if (std::optional<int64_t> size = sizes.at(p); p != param && size > 1)
      others.insert(*size);
  for (int64_t times = 1; times <= 64; ++times)
    for (int64_t size : others)
      if (size * times > least && holds(size * times))
        return true;
  return false;
}

/// Gives the open parameters of \p count values for which it comes to
/// \p target, or past it by the least; else to the most that is allowed.
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
  const FlatExpr trips(nest, count, sizes);
  int64_t best = 1, most = INT64_MIN;
  for (int64_t value = 1; value <= 4096; ++value) {
    set(param, value);
    if (!assumptionsHold())
      continue;
    const int64_t now = trips.evaluate(sizes).value_or(0);
    if (now > most) {
      best = value;
      most = now;
    }
    if (now >= target)
      return;
  }
  set(param, best);
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

bool ShapeChooser::assumptionsHold() const {
  return all_of(facts, [&](const Fact &f) {
    std::optional<int64_t> value = f.expr.evaluate(sizes);
    return !value || (f.isZero ? *value == 0 : *value >= 0);
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
    if (data.count(p)) {
      set(p, draw({-3, -1, 0, 1, 2, 5}));
      continue;
    }
    if (auto c = choices.find(p); c != choices.end()) {
      set(p, draw(c->second));
      if (assumptionsHold())
        continue;
    }
    const bool isSize = limits.count(p) || nest.params[p].isTemplate;
    if (!settle(p, draw(isSize            ? wanted.rest
                        : shifts.count(p) ? wanted.step
                                          : wanted.padding)))
      settle(p, 1);
  }
}

ShapeChooser::ShapeChooser(const Nest &nest) : nest(nest), sizes(nest) {
  for (const Assumption &a : nest.assumptions)
    facts.push_back(
        {FlatExpr(nest, a.fact.expr, sizes), a.fact.kind == Constraint::Zero});
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
  for (unsigned p = 0; p != nest.params.size(); ++p)
    if (nest.params[p].type == "bool" && isOpen(p))
      set(p, draw({0, 1}));
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
    shape.types[name] =
        is_contained(nest.function.typeParams, name) ? "float" : "1";
  if (Error e = checkShape(nest, shape)) {
    consumeError(std::move(e));
    return std::nullopt;
  }
  return shape;
}

} // namespace convopt::verify
