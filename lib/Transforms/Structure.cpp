//===- Structure.cpp - What passes ask of a tree -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Structure.h"
#include "convopt/Nest/Quotients.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

Expected<LoopPath> findLoop(const Nest &nest, unsigned id) {
  std::optional<LoopPath> found;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *l = dyn_cast<Loop>(&n);
    if (l && l->id == id)
      found = LoopPath{l, enclosing};
  });
  if (found)
    return std::move(*found);
  std::string name = id < nest.loopNames.size() ? nest.loopNames[id]
                                                : "#" + std::to_string(id);
  return refuse("structure", "there is no loop '" + name + "' in the nest",
                nest.function.range,
                "an earlier step has replaced it; -print-after-all shows how");
}

std::vector<const Loop *> perfectBand(const Loop &head) {
  std::vector<const Loop *> band{&head};
  while (band.back()->body.size() == 1) {
    const auto *next = dyn_cast<Loop>(band.back()->body.front().get());
    if (!next)
      break;
    band.push_back(next);
  }
  return band;
}

std::vector<const Loop *> outermostBand(const Nest &nest) {
  const auto *head =
      nest.body.size() == 1 ? dyn_cast<Loop>(nest.body.front().get()) : nullptr;
  return head ? perfectBand(*head) : std::vector<const Loop *>();
}

std::vector<const Loop *> guardedBand(const Loop &head) {
  std::vector<const Loop *> band{&head};
  for (const Body *body = &head.body; body->size() == 1;) {
    const Node *n = body->front().get();
    if (const auto *l = dyn_cast<Loop>(n))
      band.push_back(l);
    else if (!isa<Guard>(n))
      break;
    body = bodyOf(*n);
  }
  return band;
}

bool setsFirst(const Body &body, unsigned array, size_t dims) {
  for (const NodeRef &n : body) {
    if (!touches({n}, array))
      continue;
    if (const auto *s = dyn_cast<Statement>(n.get()))
      return s->target.array == array && s->target.subscripts.size() == dims &&
             !s->accumulates() && !reads(*s, array);
    if (!setsFirst(*bodyOf(*n), array, dims))
      return false;
  }
  return true;
}

std::optional<int64_t> constantValue(const Nest &nest, const Bound &b) {
  ASSIGN_OR_RETURN(int64_t value, nest.constantOf(b.expr));
  return divideCeilSigned(value, b.divisor);
}

std::optional<int64_t> constantLower(const Nest &nest, const Loop &l) {
  std::optional<int64_t> greatest;
  for (const Bound &b : l.lower) {
    ASSIGN_OR_RETURN(int64_t value, constantValue(nest, b));
    greatest = std::max(greatest.value_or(value), value);
  }
  return greatest;
}

std::optional<int64_t> constantUpper(const Nest &nest, const Loop &l) {
  std::optional<int64_t> least;
  for (const Bound &b : l.upper)
    if (std::optional<int64_t> value = constantValue(nest, b))
      least = std::min(least.value_or(*value), *value);
  return least;
}

std::optional<int64_t> constantTrips(const Nest &nest, const Loop &l) {
  std::optional<int64_t> lower = constantLower(nest, l);
  std::optional<int64_t> upper = constantUpper(nest, l);
  int64_t trips;
  if (!lower || !upper || SubOverflow(*upper, *lower, trips))
    return std::nullopt;
  return std::max<int64_t>(trips, 0);
}

std::optional<int64_t> greatestIteration(const Nest &nest, Var v) {
  for (const Loop *l : loops(nest))
    if (v == loopVar(l->id) && constantLower(nest, *l).value_or(-1) >= 0)
      if (std::optional<int64_t> upper = constantUpper(nest, *l))
        return std::max<int64_t>(*upper - 1, 0);
  return std::nullopt;
}

IndexExpr dropFromDividends(const Nest &nest, const IndexExpr &e,
                            function_ref<bool(Var)> isDropped) {
  return dropFromDividends(
      e, [&](Var v) { return greatestIteration(nest, v); }, isDropped);
}

Nest withKnownIndices(const Nest &nest) {
  std::map<Var, IndexExpr> known;
  for (const Loop *l : loops(nest))
    if (isGrid(l->kind) && constantTrips(nest, *l) == 1)
      known[loopVar(l->id)] = *constantLower(nest, *l);
  Nest result = nest;
  result.body = substituteLoops(nest, nest.body, [&](Var v) {
    auto found = known.find(v);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  });
  return result;
}

Nest withOwnLoops(const Nest &nest) {
  std::set<unsigned> shared;
  for (const StatementPath &p : statements(nest))
    for (const NodeRef &n : p.enclosing) {
      const auto *l = dyn_cast<Loop>(n.get());
      const auto &iterators = p.statement->iterators;
      auto own = l ? find(iterators, l->id) : iterators.end();
      if (own != iterators.end() &&
          p.statement->instance[own - iterators.begin()] !=
              IndexExpr::loop(l->id))
        shared.insert(l->id);
    }
  Nest result = nest;
  for (unsigned id : shared) {
    const unsigned fresh = result.addLoopName(nest.loopNames[id]);
    result.body = rewriteEach<Loop>(
        result.body, [&](const Loop *l) -> std::optional<Body> {
          if (l->id != id)
            return std::nullopt;
          auto own = std::make_shared<Loop>(*l);
          own->id = fresh;
          own->body = substituteLoops(
              result, l->body, [&](Var v) -> std::optional<IndexExpr> {
                if (v == loopVar(id))
                  return IndexExpr::loop(fresh);
                return std::nullopt;
              });
          return Body{own};
        });
  }
  return result;
}

bool isCompileTime(const Nest &nest, const IndexExpr &e) {
  return all_of(nest.expandDefinitions(e).vars(), [&](Var v) {
    return v.kind == Var::Param && nest.params[v.id].isTemplate;
  });
}

bool hasCompileTimeBounds(const Nest &nest, const Loop &l) {
  auto isKnown = [&](const Bound &b) { return isCompileTime(nest, b.expr); };
  return all_of(l.bounds(), isKnown);
}

Nest replaceLoop(const Nest &nest, unsigned id, const Body &replacement) {
  Nest result = nest;
  result.body =
      rewriteEach<Loop>(nest.body, [&](const Loop *l) -> std::optional<Body> {
        if (l->id != id)
          return std::nullopt;
        return replacement;
      });
  return result;
}

bool isOriginal(const Statement &s) {
  for (size_t i = 0; i != s.iterators.size(); ++i)
    if (s.instance[i] != IndexExpr::loop(s.iterators[i]))
      return false;
  return true;
}

std::set<unsigned> loopsOf(const IndexExpr &e) {
  std::set<unsigned> ids;
  for (Var v : e.vars())
    if (v.kind == Var::Loop)
      ids.insert(v.id);
  return ids;
}

LoopsByUse loopsByUse(const Nest &nest) {
  LoopsByUse result;
  std::vector<StatementPath> all = statements(nest);
  for (const StatementPath &p : all)
    if (const Access &target = p.statement->target;
        !nest.arrays[target.array].isLocal())
      for (const IndexExpr &e : target.subscripts)
        result.parallel.merge(loopsOf(e));
  auto isParallel = [&](unsigned l) { return result.parallel.count(l) != 0; };
  for (const StatementPath &p : all)
    for (const Operand &o : p.statement->operands)
      for (const IndexExpr &e : o.access.subscripts)
        if (std::set<unsigned> used = loopsOf(e);
            any_of(used, isParallel) && !all_of(used, isParallel))
          result.window.merge(used);
  return result;
}

std::string quoteLoops(const Nest &nest, ArrayRef<unsigned> loops) {
  std::string text;
  for (size_t i = 0; i != loops.size(); ++i) {
    if (i != 0)
      text += i + 1 == loops.size() ? " and " : ", ";
    text += "'" + nest.loopNames[loops[i]] + "'";
  }
  return text;
}

} // namespace convopt
