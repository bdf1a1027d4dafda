//===- Expansion.cpp - Locals as arrays in memory -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i in 0 .. R {            array s: float[R]
//     local s
//     s = 0                      for i in 0 .. R {
//     for j in 0 .. C {            s[i] = 0
//       s += x[i][j]               for j in 0 .. C {
//     }                              s[i] += x[i][j]
//     for j in 0 .. C {            }
//       y[i][j] = x[i][j] / s      for j in 0 .. C {
//     }                              y[i][j] = x[i][j] / s[i]
//   }                              }
//                                }
//
//===----------------------------------------------------------------------===//

#include "Expansion.h"
#include "convopt/Source/Lexemes.h"
#include "convopt/Target/Shuffle.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// What \p e is never above, over sizes alone, or with \p isLeast never below;
/// none where its \p loops, outermost first, do not say.
static std::optional<IndexExpr> endOf(IndexExpr e, ArrayRef<const Loop *> loops,
                                      bool isLeast) {
  for (; !loops.empty(); loops = loops.drop_back()) {
    const Loop &l = *loops.back(); // its bounds are over loops around
    const Var v = loopVar(l.id);
    if (!e.uses(v))
      continue;
    const int64_t c = e.coefficient(v);
    if ((e - IndexExpr(c) * IndexExpr::loop(l.id)).uses(v))
      return std::nullopt;
    const bool isFirst = (c > 0) == isLeast;
    const Bound &end = isFirst ? l.lower.front() : l.upper.front();
    if (end.divisor != 1)
      return std::nullopt;
    e = e.substitute(v, isFirst ? end.expr : end.expr - 1);
  }
  return e.usesLoops() ? std::nullopt : std::optional(e);
}

/// The place of an iteration of \p l, which stands in \p around, among its
/// iterations, and how many it has at most; none where no sizes say.
static std::optional<std::pair<IndexExpr, IndexExpr>>
placeIn(const Loop &l, ArrayRef<const Loop *> around) {
  const Bound &lower = l.lower.front(), &upper = l.upper.front();
  if (lower.divisor != 1 || upper.divisor != 1)
    return std::nullopt;
  const auto count = endOf(upper.expr - lower.expr, around, /*isLeast=*/false);
  if (!count || l.lower.size() != 1)
    return std::nullopt;
  return std::pair(IndexExpr::loop(l.id) - lower.expr, *count);
}

/// Whether a loop of \p body, in which \p array is declared, reads what comes
/// from before it.
static bool isPassed(const Body &body, unsigned array) {
  return any_of(body, [&](const NodeRef &n) {
    return !collect<Loop>({n}).empty() && touches({n}, array) &&
           none_of(collect<Statement>({n}), [&](const Statement *s) {
             return s->target.array == array;
           });
  });
}

/// Whether several of \p body, in which \p array is declared, use it, a loop
/// among them.
static bool crosses(const Body &body, unsigned array) {
  auto isUser = [&](const NodeRef &n) { return touches({n}, array); };
  return count_if(body, isUser) > 1 && any_of(body, [&](const NodeRef &n) {
           return isUser(n) && !collect<Loop>({n}).empty();
         });
}

/// Whether \p loop adds up, in statements of its \p body, what the rest of that
/// computes.
static bool addsUp(const Body &body, unsigned loop) {
  return any_of(body, [&](const NodeRef &n) {
    const auto *s = dyn_cast<Statement>(n.get());
    return s && s->accumulates() && !uses(s->target, loop) &&
           none_of(body, [&](const NodeRef &other) {
             const auto *local = dyn_cast<Local>(other.get());
             return local && local->array == s->target.array;
           });
  });
}

/// Of accesses to the local array that \p e is about, what keeps them within
/// its dimensions; false where sizes do not say, or a guard does.
static bool keepWithin(const Nest &nest, Expansion &e) {
  const Array &array = nest.arrays[e.array];
  auto keeps = [&](const Access &a, const StatementPath &p) {
    const auto around = to_vector<8>(select<Loop>(p.enclosing));
    for (auto [at, extent] : zip_equal(a.subscripts, array.extents)) {
      const auto first = endOf(at, around, /*isLeast=*/true),
                 last = endOf(at, around, /*isLeast=*/false);
      if (!first || !last)
        return false;
      for (const IndexExpr &fact : {*first, extent - 1 - *last}) {
        const std::optional<int64_t> value = nest.constantOf(fact);
        const Constraint c{Constraint::NonNegative, fact};
        if (value && *value >= 0)
          continue;
        if (value || around.size() != p.enclosing.size())
          return false;
        if (none_of(e.facts,
                    [&](const Assumption &known) { return known.fact == c; }))
          e.facts.push_back(
              {c, "'" + array.name + "' has no more elements", array.range});
      }
    }
    return true;
  };
  return all_of(statements(nest), [&](const StatementPath &p) {
    return all_of(accessesOf(*p.statement), [&](const Access *a) {
      return a->array != e.array || keeps(*a, p);
    });
  });
}

/// Whether \p array is no more than another name for elements in memory.
static bool isCopy(const Body &scope, unsigned array) {
  return all_of(collect<Statement>(scope), [&](const Statement *s) {
    return s->target.array != array ||
           (s->op == Statement::Op::Assign && s->text == "$0" &&
            s->operands.front().kind == Operand::Read);
  });
}

std::vector<Expansion> expansionsOf(const Nest &nest,
                                    const DependenceAnalysis &dependences) {
  std::map<unsigned, const Body *> scopes;
  auto declare = [&](const Body &body) {
    for (const NodeRef &n : body)
      if (const auto *local = dyn_cast<Local>(n.get()))
        scopes[local->array] = &body;
  };
  declare(nest.body);
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const Body *body = bodyOf(n))
      declare(*body);
  });
  std::set<unsigned> indexing;
  for (const LoopFacts &facts : dependences.loopFacts())
    if (facts.parallel || facts.reduction)
      indexing.insert(facts.loop);
  std::vector<Expansion> all;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *local = dyn_cast<Local>(&n);
    if (!local)
      return;
    // What runs its parts in turn, or adds up what they compute, has a part for
    // each statement.
    const auto loopsAround = to_vector(select<Loop>(enclosing));
    const Body &scope = *scopes[local->array];
    const bool runsInTurn = loopsAround.empty() ||
                            !indexing.count(loopsAround.back()->id) ||
                            addsUp(scope, loopsAround.back()->id);
    if (!isPassed(scope, local->array) &&
        !(runsInTurn && crosses(scope, local->array)))
      return;
    const Array &array = nest.arrays[local->array];
    if (isCopy(scope, local->array))
      return;
    // Memory has no value where a scalar has none.
    if (array.extents.empty() && !setsFirst(scope, local->array))
      return;
    std::vector<const Loop *> around;
    Expansion e{local->array, {}, {}};
    for (const Loop *l : select<Loop>(enclosing)) {
      if (indexing.count(l->id)) {
        const auto place = placeIn(*l, around);
        if (!place)
          return;
        e.subscripts.push_back(place->first);
        e.extents.push_back(place->second);
      }
      around.push_back(l);
    }
    e.isOfWarp = e.extents.empty() && array.extents.empty();
    if (e.isOfWarp) {
      e.extents.push_back(WarpSize);
      e.subscripts.push_back(0);
    }
    if (keepWithin(nest, e))
      all.push_back(std::move(e));
  });
  erase_if(all, [&](const Expansion &e) { // of one that is declared twice
    return count_if(all, [&](const Expansion &other) {
             return other.array == e.array;
           }) > 1;
  });
  return all;
}

/// Whether \p a and \p b, in either order, leave the same.
static bool commute(const NodeRef &a, const NodeRef &b) {
  auto writesFor = [](const NodeRef &one, const NodeRef &other) {
    return any_of(collect<Statement>({one}), [&](const Statement *s) {
      return touches({other}, s->target.array);
    });
  };
  return !writesFor(a, b) && !writesFor(b, a);
}

static void setLate(ArrayRef<unsigned> arrays, Body &body) {
  for (NodeRef &n : body)
    if (const Body *inner = bodyOf(*n)) {
      Body late = *inner;
      setLate(arrays, late);
      if (late != *inner)
        n = withBody(*n, late);
    }
  for (size_t k = body.size(); k-- > 0;) {
    const auto all = collect<Statement>({body[k]});
    if (all.empty() || any_of(all, [&](const Statement *s) {
          return s->accumulates() || (!is_contained(arrays, s->target.array) &&
                                      !s->operands.empty());
        }))
      continue;
    size_t to = k;
    while (to + 1 < body.size() && commute(body[k], body[to + 1]))
      ++to;
    std::rotate(body.begin() + k, body.begin() + k + 1, body.begin() + to + 1);
  }
}

Nest setLate(const Nest &nest, ArrayRef<unsigned> arrays) {
  Nest result = nest;
  setLate(arrays, result.body);
  return result;
}

std::string freshName(const Nest &nest, unsigned array) {
  auto isTaken = [&](StringRef name) {
    auto isCalled = [&](const auto &other) { return other.name == name; };
    if (any_of(nest.params, isCalled) ||
        any_of(nest.function.arguments, isCalled) ||
        any_of(nest.function.parameters, isCalled) ||
        is_contained(nest.function.templateArgs, name) ||
        is_contained(nest.loopNames, name))
      return true;
    if (any_of(collect<Statement>(nest.body), [&](const Statement *s) {
          return any_of(lexemes(s->text), [&](const Lexeme &l) {
            return l.kind == Lexeme::Word && l.text == name;
          });
        }))
      return true;
    return any_of(enumerate(nest.arrays), [&](const auto &other) {
      return other.index() != array && other.value().name == name;
    });
  };
  std::string name = nest.arrays[array].name;
  while (isTaken(name))
    name += "_";
  return name;
}

Nest expand(const Nest &nest, ArrayRef<Expansion> expansions) {
  Nest result = nest;
  std::map<unsigned, const Expansion *> byArray;
  for (const Expansion &e : expansions) {
    byArray[e.array] = &e;
    Array &array = result.arrays[e.array];
    array.name = freshName(result, e.array);
    array.role = Array::Output;
    array.extents.insert(array.extents.begin(), e.extents.begin(),
                         e.extents.end());
    addArgument(result, e.array);
    append_range(result.assumptions, e.facts);
  }
  result.body =
      rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
        if (const auto *local = dyn_cast<Local>(n.get()))
          return byArray.count(local->array) ? std::optional(Body())
                                             : std::nullopt;
        const auto *s = dyn_cast<Statement>(n.get());
        if (!s)
          return std::nullopt;
        return Body{mapAccesses(*s, [&](Access &a) {
          if (const auto found = byArray.find(a.array); found != byArray.end())
            a.subscripts.insert(a.subscripts.begin(),
                                found->second->subscripts.begin(),
                                found->second->subscripts.end());
        })};
      });
  return result;
}

} // namespace convopt
