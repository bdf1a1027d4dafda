//===- LoopBuilder.cpp - `for` statements ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `for (i = lo; i + n < hi; i += s)`. Steps other than 1 count iterations: the
/// source's `i` is `lo + s * i`, in its own order (LoopSteps.cpp). A `while` or
/// `do` loop is such a one (WhileLoops.cpp), that starts where its iterator is,
/// and `if (x + i >= w) break;` before anything else is one more
/// end.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Mentions.h"
#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// Runs \p set, which sets another variable than that of \p h by \p value. The
/// iterator has its first value there if the header has set it before.
bool NestBuilder::setInHeader(const Header &h, const Expr *value,
                              function_ref<bool()> set) {
  if (!h.init || !value || !mentions(value, h.variable))
    return set();
  const bool chooses = std::exchange(mayChoose, false);
  auto start = attempt([&] { return index(h.init); });
  mayChoose = chooses;
  auto it = scope.find(h.variable);
  const std::optional<Binding> before =
      it == scope.end() ? std::nullopt : std::optional(it->second);
  scope[h.variable] = start ? Binding(*start) : Binding();
  const bool good = set();
  if (before)
    scope[h.variable] = *before;
  else
    scope.erase(h.variable);
  return good;
}

/// Where the iterator starts; others start before the loop does.
bool NestBuilder::headerInit(const ForStmt *f, Header &h) {
  const VarDecl *stepped = variableOf(f);
  const Stmt *init = f->getInit();
  if (const auto *d = dyn_cast_or_null<DeclStmt>(init)) {
    for (const Decl *one : d->decls()) {
      const auto *v = dyn_cast<VarDecl>(one);
      if (v && (v == stepped || d->isSingleDecl())) {
        h.variable = v;
        h.init = v->getInit();
      } else if (!v || !setInHeader(h, v->getInit(), [&] {
                   return variable(v, v->getInit());
                 })) {
        return false;
      }
    }
    return h.variable && h.init;
  }
  for (const Expr *part : commaParts(dyn_cast_or_null<Expr>(init))) {
    const auto *b = dyn_cast<BinaryOperator>(part);
    const bool isSet = b && b->getOpcode() == BO_Assign;
    const VarDecl *v = isSet ? namedVariable(b->getLHS()) : nullptr;
    if (v && (v == stepped || part == init)) {
      h.variable = v;
      h.init = b->getRHS();
    } else if (!isSet ||
               !setInHeader(h, part, [&] { return expression(part); })) {
      return false;
    }
  }
  if (init)
    return h.variable && h.init;
  // It starts where it is.
  for (const Expr *part : commaParts(f->getInc()))
    if (stepped && !h.init && steppedVariable(part) == stepped)
      h.init = loaded(assignedBy(part->IgnoreParens()));
  h.variable = stepped;
  return h.init;
}

/// The condition as `i < bound + slack`, or `i > bound - slack` downwards, or
/// several of these.
bool NestBuilder::headerCondition(const Expr *condition, Header &h,
                                  bool negated) {
  if (!condition)
    return false;
  condition = condition->IgnoreParenImpCasts();
  if (const auto *u = dyn_cast<UnaryOperator>(condition);
      u && u->getOpcode() == UO_LNot)
    return headerCondition(u->getSubExpr(), h, !negated);
  // `i` is `i != 0`.
  if (!negated && !scope.count(h.variable) &&
      namedVariable(condition) == h.variable) {
    h.ends.push_back({condition, IndexExpr()});
    h.isMet = true;
    return h.ends.size() == 1 && std::abs(h.step) == 1 && !h.size;
  }
  const auto *c = dyn_cast<BinaryOperator>(condition);
  if (c && c->getOpcode() == (negated ? BO_LOr : BO_LAnd))
    return headerCondition(c->getLHS(), h, negated) &&
           headerCondition(c->getRHS(), h, negated);
  if (!c || !c->isComparisonOp())
    return false;
  BinaryOperatorKind op = c->getOpcode();
  if (negated)
    op = BinaryOperator::negateComparisonOp(op);
  std::optional<HeaderEnd> end;
  const bool isExit = scope.count(h.variable);
  if (!isExit && namedVariable(c->getLHS()) == h.variable) {
    end = HeaderEnd{c->getRHS(), {}};
  } else if (!isExit && namedVariable(c->getRHS()) == h.variable) {
    end = HeaderEnd{c->getLHS(), {}};
    op = BinaryOperator::reverseComparisonOp(op);
  } else {
    end = solveCondition(c, h, op);
  }
  if (!end)
    return false;
  end->slack = op == BO_LE || op == BO_GE;
  h.ends.push_back(*end);
  // Beside another end the loop may start beyond the one that it is to meet.
  h.isMet |= op == BO_NE;
  if (h.isMet)
    return h.ends.size() == 1 && std::abs(h.step) == 1 && !h.size;
  return h.step > 0 ? op == BO_LT || op == BO_LE : op == BO_GT || op == BO_GE;
}

/// \p s without braces around it alone.
static const Stmt *onlyOf(const Stmt *s) {
  const auto *list = dyn_cast<CompoundStmt>(s);
  return list && list->size() == 1 ? onlyOf(list->body_front()) : s;
}

/// Whether \p s does nothing but declare, or go on with the loop, which leaves
/// to an exit after it where the loop ends.
static bool leavesExits(const Stmt *s) {
  const auto *i = dyn_cast<IfStmt>(s);
  const bool isSkip = i && !i->getElse() && !i->getInit() &&
                      !i->getConditionVariable() &&
                      isa<ContinueStmt>(onlyOf(i->getThen()));
  return (isSkip || isa<DeclStmt>(s)) && VariableUse::assignedIn(s).empty();
}

/// `if (...) break;`, or null.
static const IfStmt *asExit(const Stmt *s) {
  const auto *i = dyn_cast<IfStmt>(s);
  return i && !i->getElse() && !i->getInit() && !i->getConditionVariable() &&
                 isa<BreakStmt>(onlyOf(i->getThen()))
             ? i
             : nullptr;
}

/// The body of \p f, and its exits that stand before all that does something.
/// As what an exit asks stays true, an iteration that goes on before it would
/// be followed by none that does more.
void NestBuilder::takeExits(const ForStmt *f, Header &h) const {
  h.body = statementsOf(f->getBody());
  for (const Stmt *s : h.body)
    if (const IfStmt *i = asExit(s))
      h.exits.push_back(i);
    else if (!leavesExits(s))
      return;
}

/// One more end of the loop, where \p condition does not hold: it may use
/// indices that the body declares before.
bool NestBuilder::headerExit(const Expr *condition, Header &h) {
  const Var v = loopVar(nest.loopNames.size()); // not yet there
  const size_t obliged = obligations.size();
  auto outer = scope;
  scope[h.variable] = IndexExpr::of(v);
  for (const Stmt *s : h.body) {
    const auto *list = dyn_cast<DeclStmt>(s);
    if (!list && !leavesExits(s) && !asExit(s))
      break;
    if (!list)
      continue;
    for (const Decl *d : list->decls()) {
      const auto *local = dyn_cast<VarDecl>(d);
      if (!local || !local->getInit() || !local->getType()->isIntegerType())
        continue;
      auto b = attempt([&] { return standsFor(local, local->getInit()); });
      if (b && b->kind == Binding::Value)
        scope[local] = std::move(*b);
    }
  }
  Header longer = h;
  const size_t ends = h.ends.size();
  bool good = headerCondition(condition, longer, /*negated=*/true) &&
              none_of(drop_begin(obligations, obliged),
                      [&](const Obligation &o) { return o.expr.uses(v); });
  scope = std::move(outer);
  for (HeaderEnd &e : drop_begin(longer.ends, ends))
    e.isExit = true;
  if (good)
    h = std::move(longer);
  return good;
}

/// Whether \p i, a late exit, leaves nothing to the iterations after it: what
/// it asks stays true, where what multiplies the loop is not negative.
bool NestBuilder::endsLoop(const IfStmt *i) {
  const Node *loop = find_if(reverse(open), [](const auto &n) {
                       return isa<Loop>(n.get());
                     })->get();
  const Var v = loopVar(cast<Loop>(loop)->id);
  const clang::SourceRange where = i->getCond()->getSourceRange();
  auto stays = [&](const Constraint &c) {
    if (!c.expr.uses(v))
      return true;
    const std::optional<IndexExpr> times = c.expr.symbolicCoefficient(v);
    if (c.kind != Constraint::NonNegative || !times || times->usesLoops() ||
        any_of(times->terms(), [](const auto &t) { return t.second < 0; }))
      return false;
    oblige(*times, where, "what a loop is multiplied by is not negative");
    return true;
  };
  auto all = attempt([&] { return pieces(i->getCond(), /*negated=*/false); });
  if (all &&
      all_of(*all, [&](const Conjunction &p) { return all_of(p, stays); }))
    return true;
  const std::string name = nest.loopNames[v.id];
  return fail(diag::LoopExit, where,
              "'break' leaves loop '" + name + "' where no bound of '" + name +
                  "' says so",
              "compare '" + name +
                  "' with a bound, or let the loop run to its end");
}

bool NestBuilder::header(const ForStmt *f, Header &h) {
  const char *remedy = "write 'for (int i = lo; i < hi; ++i)'";
  clang::SourceRange where(f->getForLoc(), f->getRParenLoc());
  std::string name = h.variable->getNameAsString();
  if (!isPlainInteger(h.variable->getType(), where))
    return false;
  if (h.variable->getType().isVolatileQualified() ||
      h.variable->hasGlobalStorage() || h.variable->isImplicit())
    return fail(diag::LoopForm, where,
                "iterator '" + name + "' is not a local variable", remedy);
  if (!headerStep(f, h))
    return fail(diag::LoopForm, where,
                "the step of loop '" + name +
                    "' is neither a constant nor a size",
                remedy);
  if (!headerCondition(f->getCond(), h, /*negated=*/false))
    return fail(diag::LoopForm, where,
                "the condition of loop '" + name + "' does not compare '" +
                    name + "' with bounds alone",
                remedy);
  const bool isOfThreads =
      (h.size || std::abs(h.step) != 1) && namesHardware(h.init);
  if (isOfThreads && !atTop() && f->getInc() && namesHardware(f->getInc()))
    return fail(diag::ThreadLoop, where,
                "loop '" + name +
                    "', which threads share, depends on what is around it",
                "move the condition or loop around it into it; conditions that "
                "bound a thread's index itself may stay");
  if (isOfThreads)
    return fail(diag::ThreadLoop, where,
                "the threads do not share the iterations of loop '" + name +
                    "'",
                "start at 'blockIdx.x * blockDim.x + threadIdx.x' and step by "
                "'blockDim.x * gridDim.x'");
  for (const IfStmt *i : h.exits)
    if (attempt([&] { return headerExit(i->getCond(), h); }))
      llvm::erase(h.body, i);
    else
      lateExits.insert(i);
  auto changes = [&](const Stmt *s) {
    return s != f->getInc() && VariableUse::assignedIn(s).count(h.variable);
  };
  const bool isChanged = any_of(h.body, changes) || any_of(h.exits, changes) ||
                         any_of(h.before, changes) || any_of(h.after, changes);
  if (isChanged || use.isAddressTaken(h.variable))
    return fail(diag::LoopForm, where,
                "iterator '" + name + "' is changed in the loop", remedy);
  return true;
}

bool NestBuilder::setBounds(const Header &h,
                            const std::vector<IndexExpr> &start, Loop &l,
                            IndexExpr &value) {
  bool up = h.step > 0;
  const QualType type = h.variable->getType();
  const clang::SourceRange where = h.ends.front().bound->getSourceRange();
  auto isUnsigned = [&](QualType t) {
    return t->isUnsignedIntegerType() && !isNarrow(t);
  };
  std::vector<IndexExpr> ends; // exclusive
  for (const HeaderEnd &e : h.ends) {
    auto values = e.solved ? std::make_optional(std::vector{*e.solved})
                           : extremes(e.bound, /*isMax=*/!up);
    if (!values)
      return false;
    for (const IndexExpr &v : *values) {
      if (!e.solved && (isUnsigned(type) || isUnsigned(e.bound->getType())))
        oblige(v, e.bound->getSourceRange(), "an unsigned bound does not wrap");
      ends.push_back(up ? v + e.slack : v - e.slack);
      if (h.runsOnce && !e.isExit)
        for (const IndexExpr &first : start) {
          Obligation o;
          o.expr = (up ? ends.back() - first : first - ends.back()) - 1;
          o.where = range(e.bound->getSourceRange());
          o.why = "the condition of a 'do' loop is true at first";
          o.remedy = "write 'while (...) { ... }', which may run no iteration, "
                     "or check the condition before the loop";
          oblige(std::move(o));
        }
    }
  }
  if (any_of(start, isChosen) || any_of(ends, isChosen))
    return fail(diag::IndexExtreme,
                any_of(ends, isChosen) ? where : h.init->getSourceRange(),
                "a loop starts or ends at one of several values, of which it "
                "is neither the least nor the greatest",
                "start at the greatest of several values, and end at the "
                "least, or guard the loop's body");
  // The greatest of several is not negative where one of them is not.
  auto isNatural = [](const IndexExpr &e) {
    return e.asConstant().value_or(-1) >= 0;
  };
  const bool compares =
      isUnsigned(type) || any_of(h.ends, [&](const HeaderEnd &e) {
        return isUnsigned(e.bound->getType());
      });
  if (compares && !(up && any_of(start, isNatural)))
    for (const IndexExpr &e : start)
      oblige(e, where, "an unsigned bound does not wrap");
  // The iterator starts as it is set, and ends at the bound or beyond.
  if (isNarrow(type))
    for (const IndexExpr &e : start)
      obligeFits(e, type, where);
  if (isNarrow(type) || (!up && isUnsigned(type)))
    for (const IndexExpr &e : ends)
      obligeFits(e + (up ? h.step - 1 : h.step + 1), type, where);
  // From a product with another loop's iterator, iterations are counted, too.
  auto isProduct = [](const IndexExpr &e) {
    return e.usesLoops() && !e.isAffine();
  };
  const bool counts =
      h.step != 1 || h.size || (start.size() == 1 && isProduct(start.front()));
  if (!counts) {
    for (const IndexExpr &e : start)
      l.lower.push_back({e, 1});
    for (const IndexExpr &e : ends)
      l.upper.push_back({e, 1});
    value = IndexExpr::loop(l.id);
    return true;
  }
  return countSteps(h, start, ends, l, value);
}

bool NestBuilder::forLoop(const ForStmt *f, bool runsOnce) {
  if (!isWithinDepth({f->getForLoc(), f->getRParenLoc()}))
    return false;
  Header h;
  h.runsOnce = runsOnce;
  if (f->getConditionVariable() || !headerInit(f, h))
    return fail(diag::LoopForm, {f->getForLoc(), f->getRParenLoc()},
                "this loop does not start by setting its iterator",
                "write 'for (int i = lo; i < hi; ++i)'");
  takeExits(f, h);
  inLoops = true;
  // Steps and bounds are those of each iteration, the start that of the first.
  auto before = scope;
  scope.erase(h.variable);
  std::vector<Moving> moving = startMoving(f);
  if (!header(f, h))
    return false;
  std::swap(scope, before);
  auto start = extremes(h.init, /*isMax=*/h.step > 0);
  std::swap(scope, before);
  auto loop =
      std::make_shared<Loop>(nest.addLoopName(h.variable->getNameAsString()),
                             range(f->getSourceRange()));
  IndexExpr iterator;
  if (!start || !setBounds(h, *start, *loop, iterator))
    return false;
  for (const Moving &m : moving)
    for (const Bound &b : loop->upper)
      if (b.expr.uses(m.unknown))
        return fail(diag::LoopForm, h.ends.front().bound->getSourceRange(),
                    "loop '" + h.variable->getNameAsString() + "' changes '" +
                        m.variable->getNameAsString() +
                        "', which its bound depends on",
                    "use a variable of its own for what changes");
  SmallVector<const Stmt *> iteration(h.before.begin(), h.before.end());
  append_range(iteration, h.after);
  append_range(iteration, h.body);
  for (const auto &[v, binding] : scope)
    if (binding.kind == Binding::Local &&
        VariableUse::isSetFirst(iteration, dyn_cast<VarDecl>(v)))
      setFirst.emplace(loop->id, binding.number);
  const bool good = withinLoop(loop, moving, [&] {
    auto run = [&](const Expr *e) { return expression(e); };
    scope[h.variable] = iterator;
    if (!nested(h.body, loop->body, /*alwaysRuns=*/true) ||
        !all_of(h.before, run))
      return false;
    scope[h.variable] = iterator + h.distance();
    return all_of(h.after, run);
  });
  if (!h.variable->isLocalVarDecl() ||
      !isa_and_nonnull<DeclStmt>(f->getInit())) {
    // A step before the body runs once more.
    const bool isOneMore = !h.body.empty() && h.body.front() == f->getInc();
    scope[h.variable] =
        start->size() == 1 && !isOneMore
            ? movedBy(start->front(), h.distance(), *loop, h.variable)
            : Binding();
  }
  current->push_back(std::move(loop));
  return good;
}

} // namespace convopt
