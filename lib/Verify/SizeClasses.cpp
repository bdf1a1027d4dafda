//===- SizeClasses.cpp - What sizes are to a nest -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChooser.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Verify/RhsText.h"

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

/// `a * p + b`, `a` not zero, over one parameter; else none.
static std::optional<unsigned> onlyParam(const IndexExpr &e) {
  const std::set<Var> vars = e.vars();
  return vars.size() == 1 && vars.begin()->kind == Var::Param &&
                 e.coefficient(*vars.begin()) && !e.hasQuotient()
             ? std::optional(vars.begin()->id)
             : std::nullopt;
}

std::set<unsigned> dividends(const IndexExpr &e) {
  std::set<unsigned> all;
  for (const auto &[monomial, coefficient] : e.terms())
    for (const Atom &a : monomial)
      if (!a.isVar())
        all.merge(dividends(a.num()));
      else if (a.asVar().kind == Var::Param)
        all.insert(a.asVar().id);
  return all;
}

void ShapeChooser::classifySteps() {
  auto scan = [&](const IndexExpr &e, auto &&self) -> void {
    for (const auto &[monomial, coefficient] : e.terms()) {
      std::set<unsigned> around;
      for (const Atom &a : monomial)
        if (a.isVar() && a.asVar().kind == Var::Loop)
          around.insert(a.asVar().id);
      for (const Atom &a : monomial) {
        if (!around.empty() && a.isVar() && a.asVar().kind == Var::Param) {
          steps.insert(a.asVar().id);
          stepped[a.asVar().id].insert(around.begin(), around.end());
        }
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
  // The radius in `(2 * r + 1) * i` is what the window's trips make it, and of
  // the channels that groups share and images have, as many as a loop asks for.
  for (const Loop *l : order) {
    const IndexExpr count = tripCount(*l);
    if (!count.isValid())
      continue;
    if (std::optional<unsigned> p = onlyParam(count); p && !divisors.count(*p))
      steps.erase(*p);
    if (!count.asVar())
      for (unsigned p : dividends(count))
        if (divisors.count(p))
          steps.erase(p);
  }
  for (const Array &a : nest.arrays)
    for (const IndexExpr &e : a.extents)
      if (auto v = e.asVar(); v && !nest.params[v->id].definition)
        dimensions.insert(v->id);
}

/// Parameters that \p e multiplies with others, or divides by.
static std::set<unsigned> scalesIn(const IndexExpr &e) {
  std::set<unsigned> scales;
  for (const auto &[monomial, coefficient] : e.terms())
    for (const Atom &a : monomial) {
      if (a.isVar()) {
        if (monomial.size() > 1 && a.asVar().kind == Var::Param)
          scales.insert(a.asVar().id);
        continue;
      }
      for (Var v : a.den().vars())
        if (v.kind == Var::Param)
          scales.insert(v.id);
    }
  return scales;
}

/// The width in `x + j < W`, unlike the padding in `x + j - P >= 0`, and unlike
/// the stride in `x - j < S * (1 + W / S)`.
void ShapeChooser::classifyLimits() {
  std::set<unsigned> others;
  for (const Constraint &c : conditions(nest)) {
    const IndexExpr expanded = nest.expandDefinitions(c.expr);
    const std::set<unsigned> scales = scalesIn(expanded);
    for (const auto &[monomial, coefficient] : expanded.terms())
      if (monomial.size() == 1 && monomial[0].isVar() &&
          monomial[0].asVar().kind == Var::Param &&
          !scales.count(monomial[0].asVar().id))
        (coefficient > 0 ? limits : others).insert(monomial[0].asVar().id);
  }
  for (unsigned p : others) {
    limits.erase(p);
    if (!nest.params[p].definition && !nest.params[p].isTemplate &&
        !dimensions.count(p))
      paddings.insert(p);
  }
  for (unsigned p : dimensions)
    limits.insert(p);
}

/// Whether the type of \p p, which has no names of its own where it is signed,
/// has negative values.
static bool isSigned(const Param &p) {
  return is_contained({"signed char", "short", "int", "long", "long long"},
                      p.type);
}

/// Whether facts say no more of \p p than its type does.
static bool isNarrow(const Param &p) {
  return p.type == "signed char" || p.type == "short";
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
        if (v >= 0 || isSigned(nest.params[*p]))
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
  for (const Loop *l : loops(nest))
    for (const Bound &b : l->bounds())
      scan(b.expr);
  scanAll(conditions(nest));
  for (const Statement *s : collect<Statement>(nest.body)) {
    for_each(s->target.subscripts, scan);
    const std::set<size_t> partial = partialOperands(rhsOf(nest, *s));
    for (const auto &[k, o] : enumerate(s->operands)) {
      for_each(o.access.subscripts, scan);
      if (!partial.count(k))
        continue;
      scan(o.index);
      for (Var v : o.index.vars())
        if (v.kind == Var::Param)
          shifts.insert(v.id);
    }
  }
  for (const auto &[id, p] : enumerate(nest.params)) {
    if (!data.count(id))
      choices.erase(id);
    if (choices.count(id) || (withFacts.count(id) && !isNarrow(p)) ||
        p.isTemplate || !isSigned(p))
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
        if (!atom.isVar())
          for (Var of : atom.num().vars())
            for (Var by : atom.den().vars())
              bases.insert({of.id, by.id});
        else if (all_of(monomial, std::mem_fn(&Atom::isVar)))
          (coefficient > 0 ? above : below).insert(atom.asVar());
    if (a.fact.kind == Constraint::NonNegative)
      for (Var large : above)
        for (Var small : below)
          bases.insert({large.id, small.id});
    // A row that holds columns and a window is no step, whatever it multiplies.
    if (a.fact.kind == Constraint::NonNegative && above.size() == 1 &&
        below.size() > 1 && fact.coefficient(*above.begin()) > 0)
      steps.erase(above.begin()->id);
  }
}

} // namespace convopt::verify
