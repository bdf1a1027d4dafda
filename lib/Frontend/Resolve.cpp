//===- Resolve.cpp - Finishing a nest that was built ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "Diagnostics.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/LocalNames.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Nest/Text.h"

using namespace llvm;

namespace convopt {

std::vector<ArrayUse> usesOf(const Nest &nest, unsigned id) {
  std::vector<ArrayUse> uses;
  for (const StatementPath &p : statements(nest)) {
    ProofDomain d = ProofDomain::of(p.enclosing);
    for (const Operand &o : readsOf(*p.statement))
      if (o.access.array == id) {
        ProofDomain guarded = d;
        append_range(guarded.guards, o.guard);
        uses.push_back({&o.access, false, p.statement, guarded});
      }
    if (p.statement->target.array == id)
      uses.push_back({&p.statement->target, true, p.statement, d});
  }
  return uses;
}

//===----------------------------------------------------------------------===//
// Expressions of a nest
//===----------------------------------------------------------------------===//

using MapExpr = function_ref<IndexExpr(const IndexExpr &)>;
using MapConstraint = function_ref<Constraint(const Constraint &)>;

static void mapBounds(std::vector<Bound> &bounds, MapExpr f) {
  for (Bound &b : bounds)
    b.expr = f(b.expr);
}

static void mapAccess(Access &a, MapExpr f) {
  for (IndexExpr &e : a.subscripts)
    e = f(e);
}

static NodeRef mapNode(const NodeRef &n, MapExpr f, MapConstraint g);

static Body mapBody(const Body &body, MapExpr f, MapConstraint g) {
  Body result;
  for (const NodeRef &n : body)
    result.push_back(mapNode(n, f, g));
  return result;
}

static NodeRef mapNode(const NodeRef &n, MapExpr f, MapConstraint g) {
  if (const auto *l = dyn_cast<Loop>(n.get())) {
    auto copy = std::make_shared<Loop>(*l);
    mapBounds(copy->lower, f);
    mapBounds(copy->upper, f);
    copy->body = mapBody(l->body, f, g);
    return copy;
  }
  if (const auto *guard = dyn_cast<Guard>(n.get())) {
    auto copy = std::make_shared<Guard>(*guard);
    for (Constraint &c : copy->conditions)
      c = g(c);
    copy->body = mapBody(guard->body, f, g);
    return copy;
  }
  const auto *s = dyn_cast<Statement>(n.get());
  if (!s)
    return n;
  auto copy = std::make_shared<Statement>(*s);
  mapAccess(copy->target, f);
  for (Operand &o : copy->operands) {
    mapAccess(o.access, f);
    o.index = f(o.index);
    for (Constraint &c : o.guard)
      c = g(c);
    if (o.readBefore)
      for (Constraint &c : *o.readBefore)
        c = g(c);
  }
  return copy;
}

Body mapExpressions(const Body &body, MapExpr f) {
  return mapBody(body, f, [&](const Constraint &c) {
    return Constraint{c.kind, f(c.expr)};
  });
}

static void mapConstraints(Nest &n, MapConstraint g) {
  n.body = mapBody(
      n.body, [](const IndexExpr &e) { return e; }, g);
}

void mapExpressions(Nest &n, MapExpr f) {
  for (Param &p : n.params)
    if (p.definition)
      p.definition = f(*p.definition);
  for (Array &a : n.arrays) {
    for (IndexExpr &e : a.extents)
      e = f(e);
    for (IndexExpr &e : a.footprint)
      e = f(e);
  }
  for (Assumption &a : n.assumptions)
    a.fact.expr = f(a.fact.expr);
  for (Bound &b : n.function.grid)
    b.expr = f(b.expr);
  for (IndexExpr &e : n.function.block)
    e = f(e);
  n.body = mapExpressions(n.body, f);
}

std::set<unsigned> usedLoops(const Body &body) {
  std::set<unsigned> used;
  mapExpressions(body, [&](const IndexExpr &e) {
    for (Var v : e.vars())
      if (v.kind == Var::Loop)
        used.insert(v.id);
    return e;
  });
  return used;
}

//===----------------------------------------------------------------------===//
// Obligations
//===----------------------------------------------------------------------===//

/// Parameters that nothing uses and that no argument brings.
static std::vector<bool> neededParams(const Nest &nest) {
  std::vector<bool> needed(nest.params.size());
  Nest used = nest;
  for (Param &p : used.params)
    p.definition.reset();
  mapExpressions(used, [&](const IndexExpr &e) {
    for (Var v : e.vars())
      if (v.kind == Var::Param)
        needed[v.id] = true;
    return e;
  });
  for (unsigned id = 0; id != nest.params.size(); ++id) {
    const Param &p = nest.params[id];
    bool named = any_of(nest.function.gridText, [&](const std::string &t) {
      return StringRef(t).contains(p.name);
    });
    if (!p.definition || named)
      needed[id] = true;
  }
  for (size_t id = nest.params.size(); id-- > 0;)
    if (needed[id] && nest.params[id].definition)
      for (Var v : nest.params[id].definition->vars())
        needed[v.id] = true;
  return needed;
}

void addAssumption(Nest &nest, const IndexExpr &fact, const Twine &why,
                   SourceRange where, std::optional<unsigned> spanned) {
  IndexExpr expanded = nest.expandDefinitions(fact);
  if (expanded.asConstant().value_or(-1) >= 0)
    return;
  auto isSame = [&](const Assumption &known) {
    return nest.expandDefinitions(known.fact.expr) == expanded;
  };
  for (const Assumption &known : nest.assumptions)
    if (isSame(known) && (!known.spanned || known.spanned == spanned))
      return;
  if (!spanned)
    erase_if(nest.assumptions, isSame);
  Assumption a;
  a.fact.expr = fact;
  a.why = why.str();
  a.range = where;
  a.spanned = spanned;
  nest.assumptions.push_back(std::move(a));
}

/// True where \p fact holds for hardly any sizes: none that run, or none above
/// one.
static bool isFutile(const IndexExpr &fact, const ProofDomain &d,
                     const Nest &nest, const Prover &prover) {
  Prover::Reach reach = prover.reach(fact, d);
  if (reach != Prover::Reach::Bounded)
    return reach == Prover::Reach::Nothing;
  auto two = [](Var) -> int64_t { return 2; };
  return nest.expandDefinitions(fact).evaluate(two).value_or(-1) < 0;
}

static Error discharge(NestBuilder &b) {
  Nest &nest = b.nest;
  std::vector<bool> needed = neededParams(nest);
  Prover prover(nest);
  std::vector<const Loop *> threadLoops;
  for (const ThreadMap &m : nest.function.threadMaps)
    for (const Loop *l : loops(nest))
      if (l->id == m.loop)
        threadLoops.push_back(l);
  for (const Obligation &o : b.obligations) {
    if (o.param && *o.param < needed.size() && !needed[*o.param])
      continue;
    if (o.remainder && any_of(o.guards, [&](const Constraint &c) {
          return c.kind == Constraint::Zero &&
                 (c.expr == *o.remainder || c.expr == -*o.remainder);
        }))
      continue;
    ProofDomain d;
    bool hasThreads = any_of(o.loops, [&](const auto &l) {
      return is_contained(map_range(threadLoops, [](auto *t) { return t->id; }),
                          l->id);
    });
    if (!o.loops.empty() && !hasThreads)
      d.loops = threadLoops;
    for (const auto &l : o.loops)
      d.loops.push_back(l.get());
    append_range(d.guards, map_range(o.guards, multipliedOut));
    std::optional<Needs> needs = prover.nonNegative(o.expr, d);
    if (!needs || any_of(*needs, [&](const IndexExpr &e) {
          return isFutile(e, d, nest, prover);
        }))
      return refuse(diag::Negative,
                    "cannot show that " + o.why + ": " + str(nest, o.expr) +
                        " may be negative",
                    o.where, o.remedy);
    for (const IndexExpr &e : *needs)
      addAssumption(nest, e, o.why, o.where);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Numbering
//===----------------------------------------------------------------------===//

static void dropParams(Nest &nest) {
  std::vector<bool> needed = neededParams(nest);
  std::vector<unsigned> number(nest.params.size());
  std::vector<Param> kept;
  for (auto [id, p] : enumerate(nest.params)) {
    number[id] = kept.size();
    if (needed[id])
      kept.push_back(p);
  }
  nest.params = std::move(kept);
  for (Argument &a : nest.function.arguments)
    if (a.role == Argument::ParamArg)
      a.index = number[a.index];
  mapExpressions(nest, [&](const IndexExpr &e) {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      if (v.kind != Var::Param || number[v.id] == v.id)
        return std::nullopt;
      return IndexExpr::param(number[v.id]);
    });
  });
}

/// Loops in the order of the text, without those that stand for nothing.
static void numberLoops(Nest &nest) {
  std::vector<std::string> names;
  std::map<unsigned, unsigned> number;
  for (const Loop *l : loops(nest)) {
    number[l->id] = names.size();
    names.push_back(nest.loopNames[l->id]);
  }
  mapExpressions(nest, [&](const IndexExpr &e) {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      auto it = number.find(v.id);
      if (v.kind != Var::Loop || it == number.end() || it->second == v.id)
        return std::nullopt;
      return IndexExpr::loop(it->second);
    });
  });
  for (ThreadMap &m : nest.function.threadMaps)
    m.loop = number[m.loop];
  nest.loopNames = std::move(names);
  std::function<Body(const Body &)> renumber = [&](const Body &body) {
    Body result;
    for (const NodeRef &n : body) {
      const auto *l = dyn_cast<Loop>(n.get());
      const auto *g = dyn_cast<Guard>(n.get());
      if (l) {
        auto copy = std::make_shared<Loop>(*l);
        copy->id = number[l->id];
        copy->body = renumber(l->body);
        result.push_back(copy);
      } else if (g) {
        result.push_back(withBody(*g, renumber(g->body)));
      } else {
        result.push_back(n);
      }
    }
    return result;
  };
  nest.body = renumber(nest.body);
}

static Body numberStatements(const Body &body, std::vector<unsigned> &around,
                             unsigned &next) {
  Body result;
  for (const NodeRef &n : body) {
    if (const auto *l = dyn_cast<Loop>(n.get())) {
      around.push_back(l->id);
      result.push_back(withBody(*l, numberStatements(l->body, around, next)));
      around.pop_back();
    } else if (const auto *g = dyn_cast<Guard>(n.get())) {
      result.push_back(withBody(*g, numberStatements(g->body, around, next)));
    } else if (const auto *s = dyn_cast<Statement>(n.get())) {
      auto copy = std::make_shared<Statement>(*s);
      copy->id = next++;
      copy->iterators = around;
      copy->instance.clear();
      for (unsigned id : around)
        copy->instance.push_back(IndexExpr::loop(id));
      result.push_back(copy);
    } else {
      result.push_back(n);
    }
  }
  return result;
}

/// Whether \p nest has loops, and statements and conditions beside them alone.
/// A local that one of these uses keeps its value from iteration to iteration.
static bool mayBeSeveral(const Nest &nest) {
  return any_of(nest.body, [](const NodeRef &n) { return isa<Loop>(*n); }) &&
         all_of(
             select<Guard>(nest.body),
             [](const Guard *g) { return collect<Loop>(g->body).empty(); }) &&
         all_of(select<Local>(nest.body), [&](const Local *l) {
           return count_if(nest.body, [&](const NodeRef &n) {
                    return touches({n}, l->array);
                  }) > 1;
         });
}

/// A sequential function is a loop nest and nothing else.
static Error checkSingleNest(const Nest &nest) {
  const Node *first = nullptr;
  for (const NodeRef &n : nest.body) {
    if (const auto *l = dyn_cast<Local>(n.get()))
      return refuse(diag::Static,
                    "'" + nest.arrays[l->array].name +
                        "' is declared outside of the loops and may keep its "
                        "value from one iteration to the next",
                    n->range, "declare it in the loop that sets it");
    if (isa<Guard>(n.get()))
      return refuse(diag::Statement, "a branch stands around the loops",
                    n->range, "call the function only where it holds");
    if (!isa<Loop>(n.get()))
      return refuse(diag::SeveralNests,
                    "the function does more than one loop nest", n->range,
                    "move what is outside of the loops to another function");
    if (first)
      return refuse(diag::SeveralNests,
                    "the function has more than one loop nest", n->range,
                    "put each into a function of its own");
    first = n.get();
  }
  if (!first)
    return refuse(diag::NoNest, "no loop nest found", nest.function.range,
                  "convopt transforms nests of 'for' loops and naive kernels");
  return Error::success();
}

/// Gives array `id` the number \p number[id] wherever \p nest names it by its
/// place in Nest::arrays.
static void renumberArrays(Nest &nest, ArrayRef<unsigned> number) {
  for (Argument &a : nest.function.arguments)
    if (a.role == Argument::ArrayArg)
      a.index = number[a.index];
  for (Assumption &a : nest.assumptions)
    if (a.spanned)
      a.spanned = number[*a.spanned];
  nest.body = rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
    if (const auto *l = dyn_cast<Local>(n.get()))
      return Body{std::make_shared<Local>(number[l->array], l->range)};
    const auto *s = dyn_cast<Statement>(n.get());
    if (!s)
      return std::nullopt;
    auto copy = std::make_shared<Statement>(*s);
    copy->target.array = number[s->target.array];
    for (Operand &o : copy->operands)
      if (o.kind == Operand::Read)
        o.access.array = number[o.access.array];
    return Body{copy};
  });
}

/// Arrays and locals that no statement uses; arguments keep theirs.
static void dropArrays(Nest &nest) {
  std::vector<unsigned> number(nest.arrays.size());
  std::vector<bool> isKept(nest.arrays.size());
  std::vector<Array> kept;
  for (auto [id, a] : enumerate(nest.arrays)) {
    number[id] = kept.size();
    isKept[id] = !a.isLocal() || !usesOf(nest, id).empty();
    if (isKept[id])
      kept.push_back(a);
  }
  if (kept.size() == nest.arrays.size())
    return;
  erase_if(nest.assumptions, [&](const Assumption &a) {
    return a.spanned && !isKept[*a.spanned];
  });
  nest.body = rewriteEach<Local>(
      nest.body, [&](const Local *l) -> std::optional<Body> {
        return isKept[l->array] ? std::nullopt : std::optional(Body());
      });
  renumberArrays(nest, number);
  nest.arrays = std::move(kept);
}

/// Quotients of threads bound them; those of loops are digits, by which loops
/// are split.
static void multiplyOutThreads(Nest &nest) {
  std::set<unsigned> own;
  for (const Loop *l : loops(nest))
    own.insert(l->id);
  auto usesThreads = [&](const Atom &a) {
    return any_of(a.num().vars(), [&](Var v) {
      return v.kind == Var::Loop && !own.count(v.id);
    });
  };
  mapConstraints(nest, [&](const Constraint &c) {
    return findQuotient(c.expr, usesThreads) ? multipliedOut(c) : c;
  });
}

Error finishNest(NestBuilder &b, GetLaunchFacts launches,
                 const RunsAsOne &runsAsOne) {
  Nest &nest = b.nest;
  bool isSeveral = false;
  placeLocals(b);
  if (nest.function.isKernel) {
    multiplyOutThreads(nest);
    RETURN_IF_ERROR(mapThreads(b, launches));
  } else if (Error e = checkSingleNest(nest)) {
    if (!runsAsOne || !mayBeSeveral(nest))
      return e;
    consumeError(std::move(e));
    isSeveral = true;
  }
  RETURN_IF_ERROR(discharge(b));
  dropRareCases(b);
  if (nest.function.isKernel)
    joinTiles(nest, b.indices);
  splitLoops(nest, std::move(b.indices));
  nest.body = guardStarts(nest.body);
  mapConstraints(nest, multipliedOut);
  dropImpossible(nest);
  RETURN_IF_ERROR(resolveArrays(b));
  RETURN_IF_ERROR(checkAtomics(b));
  if (nest.function.isKernel) {
    assumeThreadDivisors(b);
    orderThreadLoops(nest);
  }
  shareUnread(nest);
  for (const WrapFact &w : factsOfWraps(nest))
    addAssumption(nest, w.fact, "a window is no wider than what it goes around",
                  w.where);
  nest = joinBorders(nest);
  updateRoles(nest);
  forwardSubstitute(nest, b.unconverted);
  nest.body = mergeGuards(nest.body);
  dropArrays(nest);
  dropParams(nest);
  numberLoops(nest);
  unsigned next = 0;
  std::vector<unsigned> around;
  nest.body = numberStatements(nest.body, around, next);
  nest = withFreshLocalNames(nest);
  RETURN_IF_ERROR(checkWellFormed(nest));
  if (!isSeveral)
    return Error::success();
  Error several = checkSingleNest(nest);
  if (!several || !mayBeSeveral(nest) || !runsAsOne(nest))
    return several;
  consumeError(std::move(several));
  return Error::success();
}

} // namespace convopt
