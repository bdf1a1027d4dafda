//===- Statements.cpp - Bodies of functions and loops ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "ReadOnly.h"

using namespace llvm;
using namespace clang;

namespace convopt {

static const Stmt *withoutAttributes(const Stmt *s) {
  while (true) {
    if (const auto *a = dyn_cast<AttributedStmt>(s))
      s = a->getSubStmt();
    else if (const auto *e = dyn_cast<ExprWithCleanups>(s))
      s = e->getSubExpr();
    else
      return s;
  }
}

/// The statement that \p s is, through braces around it alone.
static const Stmt *single(const Stmt *s) {
  s = withoutAttributes(s);
  if (const auto *c = dyn_cast<CompoundStmt>(s))
    return c->size() == 1 ? single(*c->body_begin()) : s;
  return s;
}

SmallVector<const Stmt *> statementsOf(const Stmt *s,
                                       ArrayRef<const Stmt *> rest) {
  SmallVector<const Stmt *> all;
  s = s ? withoutAttributes(s) : s;
  if (const auto *c = dyn_cast_or_null<CompoundStmt>(s))
    append_range(all, c->body());
  else if (s)
    all.push_back(s);
  append_range(all, rest);
  return all;
}

//===----------------------------------------------------------------------===//
// Lists and branches
//===----------------------------------------------------------------------===//

/// Whether something in \p s, and not in a loop of its own, goes on with the
/// loop around it, or where there is none, returns.
static bool leavesWithin(const Stmt *s, bool inLoop, bool returns) {
  if (!s || isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, Expr>(s))
    return false;
  if (inLoop ? isa<ContinueStmt>(s) : returns && isa<ReturnStmt>(s))
    return true;
  return any_of(s->children(), [&](const Stmt *child) {
    return leavesWithin(child, inLoop, returns);
  });
}

/// Whether \p s may write an array of others: it assigns an element of none of
/// its own, or passes a pointer on.
static bool mayStore(const Stmt *s) {
  if (!s)
    return false;
  if (const Expr *target = assignedBy(s)) {
    while (const auto *a =
               dyn_cast<ArraySubscriptExpr>(target->IgnoreParenImpCasts()))
      target = a->getBase();
    const VarDecl *v = namedVariable(target);
    const bool isElement = target != assignedBy(s);
    if (!v || v->getType()->isReferenceType() ||
        (isElement && !v->getType()->isArrayType()))
      return true;
  }
  if (const auto *call = dyn_cast<CallExpr>(s))
    if (any_of(call->arguments(), [](const Expr *argument) {
          const QualType type = argument->getType();
          return type->isDependentType() ||
                 (type->isPointerType() &&
                  !type->getPointeeType().isConstQualified());
        }))
      return true;
  return any_of(s->children(), mayStore);
}

bool NestBuilder::list(ArrayRef<const Stmt *> statements) {
  const SaveAndRestore outer(tail);
  const SaveAndRestore outerStores(storesFollow);
  return listFrom(statements, tail);
}

bool NestBuilder::listFrom(ArrayRef<const Stmt *> statements, bool listTail) {
  const bool listStores = storesFollow;
  for (auto [k, s] : enumerate(statements)) {
    tail = listTail && k + 1 == statements.size();
    const Stmt *bare = withoutAttributes(s);
    const auto *i = dyn_cast<IfStmt>(bare);
    if (nest.function.isKernel && atTop())
      storesFollow =
          listStores || any_of(statements.drop_front(k + 1), mayStore);
    if (i && !isLost(i) && !decide(i->getCond())) {
      if (!resumeAfter(s))
        return false;
      continue;
    }
    bool inLoop =
        any_of(drop_begin(open, calls.empty() ? 0 : calls.back().loops),
               [](const auto &n) { return isa<Loop>(&*n); }) ||
        sharedIn == calls.size() + 1;
    bool returns = nest.function.isKernel || !calls.empty();
    auto leaves = [&](const Stmt *branch) {
      SmallVector<const Stmt *> all = statementsOf(branch);
      const Stmt *last = all.empty() ? nullptr : single(all.back());
      return last && (inLoop ? isa<ContinueStmt>(last)
                             : returns && isa<ReturnStmt>(last));
    };
    if (i && listTail && lateExits.count(i)) {
      tail = true;
      storesFollow = listStores;
      return endsLoop(i) &&
             exitIf(i, /*isElse=*/false, {}, statements.drop_front(k + 1));
    }
    for (bool isElse : {false, true}) {
      const Stmt *first = !i ? nullptr : isElse ? i->getElse() : i->getThen();
      if (!first || !listTail || !leaves(first))
        continue;
      const Stmt *other = isElse ? i->getThen() : i->getElse();
      tail = true;
      storesFollow = listStores;
      return exitIf(i, isElse, ArrayRef(statementsOf(first)).drop_back(),
                    statementsOf(other, statements.drop_front(k + 1)));
    }
    if (i && listTail && i->getCond() && leavesWithin(i, inLoop, returns)) {
      tail = true;
      storesFollow = listStores;
      return exitWithin(i, statements.drop_front(k + 1));
    }
    if (isa<ReturnStmt>(bare) && !inLoop && tail)
      return true;
    if (!isLost(s) && !statement(s) && !resumeAfter(s))
      return false;
  }
  return true;
}

/// Where a branch may leave from within, what follows is a part of both.
bool NestBuilder::exitWithin(const IfStmt *i, ArrayRef<const Stmt *> rest) {
  if (i->getInit() || i->getConditionVariable() || i->isConsteval())
    return refuseStatement(i);
  std::optional<Pieces> yes = pieces(i->getCond(), /*negated=*/false);
  std::optional<Pieces> no =
      yes ? pieces(i->getCond(), /*negated=*/true) : std::nullopt;
  auto run = [&](const Stmt *branch) {
    return [&, branch] {
      return nested(statementsOf(branch, rest), *current, /*alwaysRuns=*/false);
    };
  };
  return no && branches(*yes, run(i->getThen()), *no, run(i->getElse()),
                        i->getCond()->getSourceRange());
}

/// `if (!c) { rest }` of `if (c) continue;` and \p rest, or where the other
/// branch \p isElse leaves, `if (c) { rest }`.
const IfStmt *NestBuilder::withoutExit(const IfStmt *i, bool isElse,
                                       ArrayRef<const Stmt *> rest) const {
  const SourceLocation begin = i->getBeginLoc(), end = i->getEndLoc();
  auto *c = const_cast<Expr *>(i->getCond());
  if (const auto *u = dyn_cast<UnaryOperator>(c->IgnoreParens());
      !isElse && u && u->getOpcode() == UO_LNot)
    c = u->getSubExpr();
  else if (!isElse)
    c = UnaryOperator::Create(ast, c, UO_LNot, ast.getLogicalOperationType(),
                              VK_PRValue, OK_Ordinary, c->getBeginLoc(), false,
                              FPOptionsOverride());
  SmallVector<Stmt *> all;
  for (const Stmt *s : rest)
    all.push_back(const_cast<Stmt *>(s));
  return IfStmt::Create(
      ast, begin, IfStatementKind::Ordinary, nullptr, nullptr, c, begin, begin,
      CompoundStmt::Create(ast, all, FPOptionsOverride(), begin, end));
}

/// After `if (c) { first; continue; }` the rest of a body, which begins with
/// the other branch, runs where c does not hold; where \p isElse leaves, where
/// it does.
bool NestBuilder::exitIf(const IfStmt *i, bool isElse,
                         ArrayRef<const Stmt *> first,
                         ArrayRef<const Stmt *> rest) {
  clang::SourceRange where = i->getCond()->getSourceRange();
  std::optional<Pieces> stays = pieces(i->getCond(), !isElse), leaves;
  if (stays && !first.empty())
    leaves = pieces(i->getCond(), isElse);
  if (!stays && first.empty())
    return chosenByData(withoutExit(i, isElse, rest));
  auto runFirst = [&] { return nested(first, *current, /*alwaysRuns=*/false); };
  auto runRest = [&] { return list(rest); };
  const bool good =
      stays && (first.empty() ? branch(*stays, runRest, where)
                              : leaves && branches(*leaves, runFirst, *stays,
                                                   runRest, where));
  for (const Stmt *s : concat<const Stmt *const>(first, rest))
    forgetAssigned(s);
  return good;
}

bool NestBuilder::nested(ArrayRef<const Stmt *> statements, Body &body,
                         bool alwaysRuns) {
  const SaveAndRestore outer(current, &body);
  auto outerScope = scope;
  const bool good = list(statements);
  if (alwaysRuns)
    for (auto &[v, binding] : outerScope)
      binding = scope[v];
  scope = std::move(outerScope);
  if (!alwaysRuns)
    for (const Stmt *s : statements)
      forgetAssigned(s);
  return good;
}

bool NestBuilder::nested(const Stmt *s, Body &body, bool alwaysRuns) {
  return nested(statementsOf(s), body, alwaysRuns);
}

bool NestBuilder::storesToArrays(const Body &body) const {
  return any_of(collect<Statement>(body), [&](const Statement *s) {
    return !nest.arrays[s->target.array].isLocal();
  });
}

size_t NestBuilder::threadBounds() const {
  size_t count = 0;
  for (const ThreadVariable &v : threads.variables)
    count += v.loop ? v.loop->upper.size() : 0;
  return count;
}

/// Runs \p content once for each piece, in a guard. At the top of a kernel a
/// comparison of one thread variable with a size is that loop's extent, unless
/// threads that it leaves out have something else to do: \p isCheck is false,
/// or the variable has a bound and arrays are written elsewhere.
bool NestBuilder::branch(const Pieces &all, function_ref<bool()> content,
                         clang::SourceRange where, bool isCheck) {
  auto outerScope = scope;
  size_t bounds = threadBounds();
  const bool isPart = storesFollow || (atTop() && storesToArrays(*current));
  for (const Conjunction &p : all) {
    if (&p != &all.front())
      scope = outerScope;
    if (isImpossible(p)) // never runs
      continue;
    auto guard = std::make_shared<Guard>(range(where));
    for (const Constraint &c : p) {
      const ThreadVariable *bounded = nullptr;
      IndexExpr rest;
      for (const ThreadVariable &v : threads.variables) {
        if (!v.loop || !atTop() || all.size() != 1 ||
            c.kind != Constraint::NonNegative)
          continue;
        IndexExpr e = IndexExpr::loop(v.loop->id);
        if ((c.expr - e).asConstant().value_or(-1) >= 0 ||
            !(c.expr + e).usesLoops()) {
          bounded = &v;
          rest = c.expr + e;
        }
      }
      // Or it says that an index is not negative.
      const bool isUpper = bounded && !rest.usesLoops();
      if (!bounded ||
          (isUpper && (!isCheck || (isPart && !bounded->loop->upper.empty()))))
        guard->conditions.push_back(c);
      else if (isUpper)
        bounded->loop->upper.push_back({rest + 1, 1});
    }
    if (threadBounds() != bounds && storesToArrays(*current))
      return fail(diag::WriteUnguarded, where,
                  "an array is written before this bounds check",
                  "check the bounds first");
    if (guard->conditions.empty()) {
      if (!content())
        return false;
      continue;
    }
    Body *outer = std::exchange(current, &guard->body);
    open.push_back(guard);
    bool good = content();
    open.pop_back();
    current = outer;
    if (!good)
      return false;
    if (!guard->body.empty())
      current->push_back(std::move(guard));
  }
  return true;
}

/// Records \p guards, the \p live sides of a branch, where each has statements
/// of its own.
void NestBuilder::noteSides(ArrayRef<NodeRef> guards, size_t live) {
  std::vector<std::vector<unsigned>> all;
  for (const NodeRef &side : guards) {
    all.emplace_back();
    if (const auto *g = dyn_cast<Guard>(&*side))
      for (const NodeRef &n : g->body)
        if (const auto *s = dyn_cast<Statement>(&*n))
          all.back().push_back(s->id);
  }
  if (all.size() == live &&
      none_of(all, [](const auto &side) { return side.empty(); }))
    sides.push_back(std::move(all));
}

/// Of two branches, none is a loop's extent, and none sees what the other sets.
bool NestBuilder::branches(const Pieces &yes, function_ref<bool()> then,
                           const Pieces &no, function_ref<bool()> otherwise,
                           clang::SourceRange where) {
  const size_t first = current->size();
  open.push_back(std::make_shared<Guard>());
  const size_t live =
      count_if(concat<const Conjunction>(yes, no),
               [&](const Conjunction &c) { return !isImpossible(c); });
  auto before = scope;
  bool good = branch(yes, then, where);
  std::swap(scope, before);
  good = good && branch(no, otherwise, where);
  for (const auto &[v, binding] : before)
    if (binding.kind == Binding::Changed)
      scope[v] = Binding();
  open.pop_back();
  if (good)
    noteSides(ArrayRef(*current).drop_front(first), live);
  return good;
}

/// The `break` or `throw` that \p s ends with, or null.
static const Stmt *exitOf(const Stmt *s) {
  if (const auto *list = dyn_cast_or_null<CompoundStmt>(s))
    return list->body_empty() ? nullptr : exitOf(list->body_back());
  if (const auto *full = dyn_cast_or_null<FullExpr>(s))
    s = full->getSubExpr();
  return s && isa<BreakStmt, CXXThrowExpr>(s) ? s : nullptr;
}

bool NestBuilder::conditional(const IfStmt *i) {
  for (const Stmt *s : {i->getThen(), i->getElse()})
    if (const Stmt *leaves = exitOf(s))
      return refuseStatement(leaves);
  if (i->getInit() || i->getConditionVariable() || i->isConsteval())
    return fail(diag::Statement, i->getSourceRange(),
                "an 'if' that declares a variable");
  if (setsIndex(i))
    return true;
  if (setsShared(i))
    return setShared(i);
  std::optional<Pieces> yes = pieces(i->getCond(), /*negated=*/false);
  if (!yes)
    return chosenByData(i);
  clang::SourceRange where = i->getCond()->getSourceRange();
  // What the extents that a bounds check has given rule out runs outside of it.
  if (afterGuard && (mayStore(i->getThen()) || mayStore(i->getElse())))
    return fail(diag::WriteUnguarded, i->getSourceRange(),
                "an array is written outside of the bounds check",
                "write it where the thread's indices are in range");
  auto content = [&](const Stmt *s) {
    return [this, s] {
      Body *body = current;
      return nested(s, *body, /*alwaysRuns=*/false);
    };
  };
  const Stmt *otherwise = i->getElse();
  if (!otherwise) {
    size_t bounds = threadBounds();
    bool good = branch(*yes, content(i->getThen()), where,
                       !storesFollow || mayStore(i->getThen()));
    afterGuard |= threadBounds() != bounds;
    return good;
  }
  std::optional<Pieces> no = pieces(i->getCond(), /*negated=*/true);
  return no &&
         branches(*yes, content(i->getThen()), *no, content(otherwise), where);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool NestBuilder::refuseStatement(const Stmt *s) {
  std::string what = "this statement";
  const char *remedy = "only 'for' loops, assignments and 'if' on iterators "
                       "and sizes are";
  if (isa<BreakStmt>(s)) {
    what = "'break'";
    remedy = "let the loop run to its end; 'if (i >= n) break;' may stand at "
             "its start";
  } else if (isa<GotoStmt, IndirectGotoStmt>(s))
    what = "'goto'";
  else if (isa<LabelStmt>(s))
    what = "a label";
  else if (isa<ReturnStmt>(s))
    what = "'return'";
  else if (isa<ContinueStmt>(s))
    what = "this 'continue'";
  else if (isa<CXXThrowExpr>(s)) {
    what = "'throw'";
    remedy = "check before the loops, or after them";
  } else if (isa<WhileStmt, DoStmt>(s)) {
    what = isa<DoStmt>(s) ? "a 'do' loop" : "a 'while' loop";
    remedy = "one that counts is, where its condition or its body has a step "
             "such as 'i++' that no 'continue' skips; the loops within another "
             "can be taken by themselves (-function=NAME:LINE)";
  } else if (isa<CXXForRangeStmt>(s))
    what = "a range-based 'for' loop";
  else if (isa<CXXTryStmt>(s))
    what = "'try'";
  return fail(diag::Statement, s->getSourceRange(),
              what + " is not part of a loop nest", remedy);
}

bool NestBuilder::statement(const Stmt *s) {
  s = withoutAttributes(s);
  if (isa<NullStmt>(s))
    return true;
  if (const auto *c = dyn_cast<CompoundStmt>(s))
    return nested(c, *current, /*alwaysRuns=*/true);
  if (const auto *d = dyn_cast<DeclStmt>(s))
    return declaration(d);
  if (std::optional<Stride> l = strideOf(s))
    return strideLoop(*l);
  if (const ForStmt *f = asFor(s))
    return forLoop(f, isa<DoStmt>(s));
  if (const auto *f = dyn_cast<ForStmt>(s))
    return forLoop(f, /*runsOnce=*/false);
  if (const auto *f = dyn_cast<CXXForRangeStmt>(s))
    return rangeLoop(f);
  if (const auto *i = dyn_cast<IfStmt>(s))
    return conditional(i);
  if (const auto *c = dyn_cast<SwitchStmt>(s))
    return choice(c);
  if (const auto *e = dyn_cast<Expr>(s))
    return expression(e);
  return refuseStatement(s);
}

bool NestBuilder::addStatement(Statement s) {
  for (const std::shared_ptr<Node> &n : open)
    if (const auto *l = dyn_cast<Loop>(n.get())) {
      s.iterators.push_back(l->id);
      s.instance.push_back(IndexExpr::loop(l->id));
    }
  if (!addCases(s))
    current->push_back(std::make_shared<Statement>(std::move(s)));
  return !pending;
}

} // namespace convopt
