//===- ShapeChooser.cpp - Sizes from wanted trip counts -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChooser.h"
#include "ShapeCheck.h"
#include "convopt/Transforms/Structure.h"
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
  for (const Loop *l : order)
    if (byUse.parallel.count(l->id))
      parallel.push_back(l);
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
          if (v.kind == Var::Param)
            steps.insert(v.id);
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

/// Gives the open parameters of \p count values for which it comes to
/// \p target, or past it by the least.
void ShapeChooser::reach(const IndexExpr &count, int64_t target,
                         const Wanted &wanted) {
  std::vector<unsigned> open = openParams(count);
  if (open.empty())
    return;
  // Solve for an array's own dimension rather than for a padding, say.
  auto solved =
      llvm::find_if(open, [&](unsigned p) { return dimensions.count(p); });
  const unsigned param = solved == open.end() ? open.front() : *solved;
  for (unsigned p : open)
    if (p != param)
      set(p, limits.count(p) ? 5 : draw(wanted.padding));
  const FlatExpr trips(nest, count, sizes);
  int64_t best = 1; // of those that are allowed, if the target is not
  for (int64_t value = 1; value <= 4096; ++value) {
    set(param, value);
    if (!assumptionsHold())
      continue;
    best = value;
    auto now = trips.evaluate(sizes);
    if (now && *now >= target)
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
/// what is drawn or the next larger value that no assumption forbids, in turn.
void ShapeChooser::settleRest(const Wanted &wanted) {
  for (unsigned p = 0; p != nest.params.size(); ++p) {
    if (!isOpen(p))
      continue;
    const bool isSize = limits.count(p) || nest.params[p].isTemplate;
    int64_t value = draw(isSize ? wanted.rest : wanted.padding);
    for (int64_t least : {value, int64_t(1)}) {
      value = least;
      for (set(p, value); !assumptionsHold() && value < least + 512;)
        set(p, ++value);
      if (assumptionsHold())
        break;
    }
  }
}

ShapeChooser::ShapeChooser(const Nest &nest) : nest(nest), sizes(nest) {
  for (const Assumption &a : nest.assumptions)
    facts.push_back(
        {FlatExpr(nest, a.fact.expr, sizes), a.fact.kind == Constraint::Zero});
  classifyLoops();
  classifySteps();
  classifyLimits();
}

std::optional<Shape> ShapeChooser::choose(const Wanted &wanted) {
  shape = Shape();
  sizes = Values(nest);
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
    // Neighbouring sizes differ, so that swapped ones do not pass.
    auto apart = [](int64_t base, int64_t by) {
      return base == 1 ? 1 : base + by;
    };
    switch (uses[l->id]) {
    case LoopUse::Column:
      reach(count, draw(wanted.column), wanted);
      break;
    case LoopUse::Row:
      reach(count, apart(draw(wanted.row), rows++), wanted);
      break;
    case LoopUse::Filter:
      reach(count, draw(wanted.filter), wanted);
      break;
    case LoopUse::InChannel:
      reach(count, draw(wanted.inChannels), wanted);
      break;
    case LoopUse::OutChannel:
      reach(count, apart(draw(wanted.outChannels), channels++), wanted);
      break;
    }
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
