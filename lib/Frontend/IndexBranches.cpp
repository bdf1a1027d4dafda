//===- IndexBranches.cpp - Branches that set indices ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (rows) at = i * w + j; else at = j * h + i;` sets `at` to `rows ? ... :
/// ...`, which is an index that is one of several (Choices.cpp).
///
//===----------------------------------------------------------------------===//

#include "Mentions.h"
#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// What the branch \p s, which only sets variables, sets \p target to, or the
/// first that it sets where that is null; where it does nothing, to what it
/// was. Null where it does something else.
const Expr *NestBuilder::valueAfter(const Stmt *s, const Expr *&target) {
  if (const auto *list = dyn_cast_or_null<CompoundStmt>(s)) {
    if (!target)
      return list->size() == 1 ? valueAfter(list->body_front(), target)
                               : nullptr;
    SmallVector<const Stmt *> sets;
    for (const Stmt *one : list->body())
      if (VariableUse::assignedIn(one).count(namedVariable(target)))
        sets.push_back(one);
    return sets.empty()       ? loaded(target)
           : sets.size() == 1 ? valueAfter(sets.front(), target)
                              : nullptr;
  }
  if (const auto *i = dyn_cast_or_null<IfStmt>(s)) {
    if (i->getInit() || i->getConditionVariable() || i->isConsteval())
      return nullptr;
    const Expr *yes = valueAfter(i->getThen(), target);
    const Expr *no =
        yes ? i->getElse() ? valueAfter(i->getElse(), target) : loaded(target)
            : nullptr;
    return no ? new (ast) ConditionalOperator(
                    const_cast<Expr *>(i->getCond()), i->getBeginLoc(),
                    const_cast<Expr *>(yes), i->getBeginLoc(),
                    const_cast<Expr *>(no), target->getType(), VK_PRValue,
                    OK_Ordinary)
              : nullptr;
  }
  const auto *set = dyn_cast_or_null<BinaryOperator>(s);
  const VarDecl *v =
      set && set->isAssignmentOp() ? namedVariable(set->getLHS()) : nullptr;
  if (!v)
    return nullptr;
  if (target && namedVariable(target) != v)
    return loaded(target);
  target = set->getLHS();
  return set->getOpcode() == BO_Assign
             ? set->getRHS()
             : updated(target, set->getRHS(), set->getOpcode(), set);
}

/// The variables that the branch \p s sets, each named once; false where it
/// does more.
static bool setIn(const Stmt *s, std::vector<const Expr *> &targets) {
  if (const auto *list = dyn_cast_or_null<CompoundStmt>(s))
    return all_of(list->body(),
                  [&](const Stmt *one) { return setIn(one, targets); });
  if (const auto *i = dyn_cast_or_null<IfStmt>(s))
    return setIn(i->getThen(), targets) &&
           (!i->getElse() || setIn(i->getElse(), targets));
  const auto *set = dyn_cast_or_null<BinaryOperator>(s);
  const VarDecl *v =
      set && set->isAssignmentOp() ? namedVariable(set->getLHS()) : nullptr;
  if (v &&
      none_of(targets, [&](const Expr *e) { return namedVariable(e) == v; }))
    targets.push_back(set->getLHS());
  return v;
}

/// `if (y < 0) y = 0;` sets y to `y < 0 ? 0 : y`; false where \p i is another
/// branch. Of several variables none is used for another.
bool NestBuilder::setsIndex(const IfStmt *i) {
  std::vector<const Expr *> targets;
  if (!setIn(i, targets) || !(inLoops || nest.function.isKernel))
    return false;
  const auto outer = scope;
  const auto used = unknownUses;
  const bool isOne = targets.size() == 1;
  auto set = [&](const Expr *target) {
    const VarDecl *v = namedVariable(target);
    const Expr *chosen = isOne ? nullptr : target;
    const Expr *value = valueAfter(i, chosen);
    const Mentions used = mentionsOf(value);
    const bool isApart =
        value && none_of(used.variables, [&](const auto *ref) {
          return any_of(targets, [&](const Expr *e) {
            return namedVariable(e) == ref->getDecl() && ref->getDecl() != v;
          });
        });
    if (!isApart || v != named(target) || !v->isLocalVarDeclOrParm() ||
        use.isAddressTaken(v))
      return false;
    if (truths.contains(v))
      return mayChange(v, i->getSourceRange()) &&
             attempt([&] { return bindTruth(v, value); });
    if (use.holdsData(v) || !v->getType()->isSignedIntegerType())
      return false;
    auto it = scope.find(v);
    const bool isIndex =
        it == scope.end() ? !v->hasInit()
                          : is_contained({Binding::Value, Binding::Thread,
                                          Binding::Extreme, Binding::Changed},
                                         it->second.kind);
    return isIndex && mayChange(v, i->getSourceRange()) &&
           attempt([&] { return bindValue(v, value); });
  };
  const bool good = all_of(targets, set);
  if (!good) {
    scope = outer;
    unknownUses = used; // what was read of them is read again
  }
  return good;
}

} // namespace convopt
