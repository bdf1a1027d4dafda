//===- KernelRecompute.cpp - Predicated sums, as if without predicates ----===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for c, r                         for c, r
//     predicated on y inside           sum += in_s[...] * w   // with zeros
//       sum += in_s[...] * w         bool again = false;
//                                    if (!(all of the tile is inside))
//                                      again = !(sum > 0 || sum < 0);
//                                    if (again) {
//                                      sum = 0;
//                                      for c, r
//                                        if (y inside)
//                                          sum += in_s[...] * w;
//                                    }
//
// Such a sum is what it should be unless it is a zero or a NaN (Recompute.h).
// Where threads of a block copy together, one that computes again has all of
// them do so. As that is rare, the text is short: of registers, only sums are
// unrolled.
//
// A sum all of whose terms are outside is what it was set to, and is set to it:
//
//     if (!(y may be inside))
//       sum = 0;
//     else
//       again = again || !(sum > 0 || sum < 0);
//
// Where each sum has either all of its terms inside or none, as with filters of
// one element, there is no second run.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "convopt/Nest/Factors.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Transforms/Footprint.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

/// \p body with guards in place of predicates.
static convopt::Body withGuards(const convopt::Body &body) {
  return rewriteEach<Statement>(
      body, [](const Statement *s) -> std::optional<convopt::Body> {
        if (predicatesOf(*s).empty())
          return std::nullopt;
        auto guard = std::make_shared<Guard>(s->range);
        guard->conditions = predicatesOf(*s);
        auto asked = std::make_shared<Statement>(*s);
        for (Operand &o : asked->operands)
          if (o.isPredicate) {
            o.guard.clear();
            o.otherwise.clear();
            o.isPredicate = false;
          }
        guard->body.push_back(asked);
        return convopt::Body{guard};
      });
}

/// Has \p guarded read where it comes from what registers hold of inputs, if
/// \p run, of \p nest, does not fill them: a function of its own cannot take
/// registers. In one function the compiler of the emitted code keeps the
/// products that both runs have, and fuses none with its addition, which gives
/// other bits.
static void readMemory(const Nest &nest, const convopt::Body &run,
                       convopt::Body &guarded) {
  std::map<unsigned, std::optional<unsigned>> from;
  for (const Copy *copy : collect<Copy>(nest.body)) {
    const Buffer &buffer = *nest.arrays[copy->buffer].buffer;
    if (buffer.memory == Buffer::Registers &&
        nest.arrays[buffer.of].role == Array::Input)
      from[copy->buffer] = copy->from;
  }
  for (const Copy *copy : collect<Copy>(run))
    from.erase(copy->buffer);
  guarded = rewriteEach<Statement>(
      guarded, [&](const Statement *s) -> std::optional<convopt::Body> {
        auto read = std::make_shared<Statement>(*s);
        for (Operand &o : read->operands)
          if (o.access.buffer && from.count(*o.access.buffer))
            o.access.buffer = from.at(*o.access.buffer);
        return convopt::Body{read};
      });
}

convopt::Body KernelBody::settersOf(const convopt::Body &body,
                                    ArrayRef<unsigned> sums) const {
  convopt::Body result;
  for (const NodeRef &n : body) {
    if (const auto *st = dyn_cast<Statement>(n.get())) {
      if (!st->isReduction() && is_contained(sums, st->target.array))
        result.push_back(n);
    } else if (const auto *g = dyn_cast<Guard>(n.get())) {
      auto copy = std::make_shared<Guard>(*g);
      copy->body = settersOf(g->body, sums);
      if (!copy->body.empty())
        result.push_back(copy);
    } else if (const auto *l = dyn_cast<Loop>(n.get())) {
      auto copy = std::make_shared<Loop>(*l);
      copy->body = settersOf(l->body, sums);
      if (copy->body.empty())
        continue;
      // Lowering guards loops but those that it takes to do no harm.
      if (l->kind == LoopKind::Unrolled && constantUpper(nest, *l) &&
          neededGuard(*copy).empty()) {
        auto guard = std::make_shared<Guard>();
        guard->conditions = partialConstraints(*l);
        guard->body = std::move(copy->body);
        copy->body = guard->conditions.empty() ? std::move(guard->body)
                                               : convopt::Body{guard};
      }
      result.push_back(copy);
    }
  }
  return result;
}

std::vector<Recomputed> KernelBody::partsOf(const convopt::Body &body) const {
  // Legality has refused what is refused, where it is asked.
  return expectedToOptional(recomputedParts(nest, body))
      .value_or(std::vector<Recomputed>());
}

std::vector<Constraint> KernelBody::insidePredicates(const convopt::Body &run,
                                                     const Scope &s) const {
  std::vector<Constraint> all;
  bool isKnown = true;
  walk(run, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    const std::vector<const Loop *> varying = loopsAmong(enclosing);
    for (const Constraint &c : predicatesOf(*st)) {
      std::vector<IndexExpr> least = leastValues(nest, c.expr, varying);
      isKnown &= c.kind == Constraint::NonNegative && !least.empty() &&
                 all_of(least, [&](const IndexExpr &e) {
                   return onlyLoops(e, s.loops);
                 });
      for (const IndexExpr &e : least) {
        Constraint whole{c.kind, s.names.fold(e)};
        if (!isAlways({c.kind, e}, s) && !is_contained(all, whole))
          all.push_back(whole);
      }
    }
  });
  return isKnown ? all : std::vector<Constraint>();
}

/// The one statement of \p run that sets \p sum, before all others that write
/// it, and the one that adds terms, with the loops around the latter; none
/// where there are others.
static std::optional<std::pair<const Statement *, StatementPath>>
onlyTerms(const convopt::Body &run, unsigned sum) {
  const Statement *set = nullptr;
  StatementPath terms{};
  bool isOnly = true;
  walk(run, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *st = dyn_cast<Statement>(&n);
    if (!st || st->target.array != sum)
      return;
    isOnly &= st->isReduction() ? !terms.statement : !set && !terms.statement;
    if (st->isReduction())
      terms = {st, enclosing};
    else
      set = st;
  });
  if (!isOnly || !set || !terms.statement)
    return std::nullopt;
  return std::pair(set, terms);
}

KernelBody::Reach KernelBody::reachOfSum(const convopt::Body &run,
                                         unsigned sum) const {
  Reach reach;
  auto only = onlyTerms(run, sum);
  const unsigned dims = nest.arrays[sum].expandedDims;
  if (!only || nest.arrays[sum].extents.size() != dims)
    return reach;
  const auto &[set, terms] = *only;
  // Loops over the tile are those of the statement that sets the sum.
  const std::vector<IndexExpr> &from = terms.statement->target.subscripts;
  auto cell = [&](Var v) -> std::optional<IndexExpr> {
    auto d = find(from, IndexExpr::loop(v.id));
    if (v.kind != Var::Loop || d == from.end())
      return std::nullopt;
    return set->target.subscripts[d - from.begin()];
  };
  std::vector<const Loop *> varying;
  for (const Loop *l : select<Loop>(terms.enclosing))
    if (!cell(loopVar(l->id)))
      varying.push_back(l);
  reach.isWhole = true;
  for (const Constraint &c : predicatesOf(*terms.statement)) {
    std::vector<IndexExpr> least = leastValues(nest, c.expr, varying);
    std::vector<IndexExpr> greatest = leastValues(nest, -c.expr, varying);
    const bool isKnown =
        c.kind == Constraint::NonNegative && greatest.size() == 1;
    reach.isWhole &=
        isKnown && least.size() == 1 && (least[0] + greatest[0]).isZero();
    if (isKnown)
      reach.possible.push_back({c.kind, (-greatest[0]).substitute(cell)});
  }
  return reach;
}

/// A test of the sum that \p st sets.
void KernelBody::lowerSumTest(const Statement &st, const Scope &s) {
  Scope at = s;
  Reach reach = reachOfSum(*s.test->run, st.target.array);
  // Threads and iterations outside of the domain do not come here.
  std::vector<const Loop *> around = loops(nest);
  erase_if(around, [&](const Loop *l) { return !s.loops.count(l->id); });
  erase_if(reach.possible, [&](const Constraint &c) {
    return isProvablyNonNegative(nest, c.expr, around);
  });
  if (!reach.possible.empty()) {
    auto &none =
        at.add<If>(Expr::unary(Op::Not, comparison(reach.possible, s)));
    Scope set = s.in(none.body);
    set.test.reset();
    lowerStatement(st, set);
    at = s.in(none.otherwise);
  }
  if (!s.test->again)
    return;
  const Expr sum = access(st.target, st, s);
  // Programs do not say how elements compare: one text, which the interpreter
  // takes to hold, so that it tries the second run.
  const std::string zero = zeroOf(nest.arrays[st.target.array].elementType);
  at.add<Assignment>(
      s.test->again,
      Expr::binary(Op::Or, s.test->again,
                   Expr::formula("!($0 > " + zero + " || $1 < " + zero + ")",
                                 {sum, sum}, Type::boolean())));
}

void KernelBody::recomputeAfter(size_t k, const convopt::Body &body,
                                ArrayRef<Recomputed> parts, Scope &s) {
  const Recomputed *part =
      find_if(parts, [&](const Recomputed &p) { return p.last == k; });
  if (part == parts.end())
    return;
  const convopt::Body run(body.begin() + part->first,
                          body.begin() + part->last + 1);
  const bool isOnce = all_of(
      part->sums, [&](unsigned sum) { return reachOfSum(run, sum).isWhole; });
  VariableRef again;
  if (!isOnce) {
    again = std::make_shared<Variable>(
        Variable{root.fresh("again"), Type::boolean()});
    s.add<Declaration>(again, Expr(0, Type::boolean())).comment =
        "a sum of zero or NaN may not be one where the guards are asked";
  }
  const bool isShared =
      any_of(part->sums, [&](unsigned sum) { return isSplit(sum); });
  const Expr outputs = isShared ? resultTest() : inside ? Expr(inside) : Expr();
  Scope test = outputs ? s.in(s.add<If>(outputs).body) : s;
  std::vector<Constraint> whole = insidePredicates(run, s);
  if (!whole.empty())
    test = test.in(
        test.add<If>(Expr::unary(Op::Not, s.names.condition(whole))).body);
  test.test = SumTest{&run, again};
  const convopt::Body sums = settersOf(run, part->sums);
  for (const NodeRef &n : sums)
    lowerNode(*n, test);
  if (isOnce)
    return;
  Expr repeats = again;
  if (isShared || isCollective(nest, run)) {
    VariableRef all = constant(root.fresh("repeat"), Type::boolean());
    s.add<Declaration>(all, Expr::call({Callee::SyncThreadsOr, ""}, {repeats}));
    repeats = all;
  }
  auto &rare = s.add<If>(repeats);
  if (!isShared)
    for (unsigned sum : part->sums)
      if (variableOf(sum)->memory == program::Memory::Register)
        rare.renewed.push_back(variableOf(sum));
  Scope asked = s.in(rare.body);
  asked.partial = asked.isShort = true;
  convopt::Body guarded = withGuards(run);
  readMemory(nest, run, guarded);
  // What the first run declares is there, and has its first value in the run.
  erase_if(guarded, [](const NodeRef &n) { return isa<Local>(n.get()); });
  for (const NodeRef &n : guarded)
    shorten(n, asked);
  for (unsigned sum : part->sums)
    if (isSplit(sum) && startsAnew(sum))
      lowerNeutral(sum, asked);
  asked.isAgain = true;
  lowerThread(guarded, asked);
}

} // namespace convopt::lower
