//===- DataBranches.cpp - Choices among values ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A branch on data that assigns one variable chooses its value: `if (v < 0)
/// v = 0; else if (v > 6) v = 6;` is `v = v < 0 ? 0 : (v > 6 ? 6 : v)`. The
/// other way round, `v = c ? a : b` becomes two guarded statements where sizes
/// and iterators decide and `a` reads what may be missing for others.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// The statement that \p s is, through braces around it alone; null where it
/// is empty.
static const Stmt *single(const Stmt *s) {
  const auto *c = dyn_cast_or_null<CompoundStmt>(s);
  if (!c)
    return s && isa<NullStmt>(s) ? nullptr : s;
  return c->size() == 1    ? single(c->body_front())
         : c->body_empty() ? nullptr
                           : s;
}

/// What the branches of \p s assign, in its order; false where they do more.
static bool assignedIn(const Stmt *s, std::vector<const Expr *> &targets) {
  s = single(s);
  if (!s)
    return true;
  if (const auto *i = dyn_cast<IfStmt>(s))
    return !i->getInit() && !i->getConditionVariable() &&
           assignedIn(i->getThen(), targets) &&
           assignedIn(i->getElse(), targets);
  const auto *b = dyn_cast<BinaryOperator>(s);
  if (b && b->isAssignmentOp())
    targets.push_back(b->getLHS());
  return b && b->isAssignmentOp();
}

/// Adds the value that \p target has after \p s.
bool NestBuilder::chosenValue(const Stmt *s, const Access &target,
                              Statement &out) {
  auto addTarget = [&] {
    const bool isRead = any_of(out.operands, [&](const Operand &o) {
      return o.kind == Operand::Read && o.access == target;
    });
    Operand self;
    self.access = target;
    addOperand(std::move(self), out);
    return isRead || nest.arrays[target.array].isLocal();
  };
  s = single(s);
  if (!s)
    return addTarget();
  if (const auto *i = dyn_cast<IfStmt>(s)) {
    out.text += "(";
    bool good = rhs(i->getCond(), out);
    out.text += " ? ";
    ++underCondition;
    good = good && chosenValue(i->getThen(), target, out);
    out.text += " : ";
    good = good && chosenValue(i->getElse(), target, out);
    --underCondition;
    out.text += ")";
    return good;
  }
  out.text += "(" + nest.arrays[target.array].elementType + ")(";
  bool good = true;
  if (const auto *u = dyn_cast<UnaryOperator>(s)) {
    good = addTarget();
    out.text += u->isIncrementOp() ? " + 1)" : " - 1)";
    return good;
  }
  const auto *b = cast<BinaryOperator>(s);
  if (b->isCompoundAssignmentOp()) {
    good = addTarget();
    out.text += " " +
                BinaryOperator::getOpcodeStr(
                    BinaryOperator::getOpForCompoundAssignment(b->getOpcode()))
                    .str() +
                " (";
  }
  good = good && rhs(b->getRHS(), out);
  out.text += b->isCompoundAssignmentOp() ? "))" : ")";
  return good;
}

/// \p i, whose condition was refused, as an assignment of a value that data
/// choose.
/// The statements of a branch.
static SmallVector<const Stmt *> listOf(const Stmt *branch) {
  if (const auto *c = dyn_cast_or_null<CompoundStmt>(branch))
    return SmallVector<const Stmt *>(c->body());
  return branch ? SmallVector<const Stmt *>{branch}
                : SmallVector<const Stmt *>();
}

static bool areAssignments(const Stmt *branch) {
  return all_of(listOf(branch), [](const Stmt *s) { return assignedBy(s); });
}

/// Whether a statement writes what \p read reads, whenever that is reached.
bool NestBuilder::isTouched(const DataRead &read) const {
  bool found = false;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &path) {
    const auto *s = dyn_cast<Statement>(&n);
    found |= s &&
             all_of(path,
                    [&](const NodeRef &around) {
                      return is_contained(read.around, around);
                    }) &&
             s->target == read.access;
  });
  return found;
}

bool NestBuilder::finishDataReads() {
  return all_of(dataReads, [&](const DataRead &read) {
    return isTouched(read) || refuseMaybeRead(read.access.array, read.where);
  });
}

bool NestBuilder::refuseMissing(const Access &target,
                                clang::SourceRange where) {
  return fail(diag::DataBranch, where,
              "'" + nest.arrays[target.array].name +
                  "' is written where data say so, and may be missing "
                  "elsewhere",
              "choose the value in a local variable, and write that");
}

/// `if (x > best) { best = x; at = i; }`: whether it does is a variable of its
/// own, since what is assigned may be what the condition asks.
bool NestBuilder::chosenSeveral(const IfStmt *i) {
  Access taken;
  taken.array =
      addLocal(nameOf(StringRef("taken")), "bool", {}, i->getSourceRange());
  if (!store(taken, i->getCond(), BO_Assign, i->getCond()->getSourceRange()))
    return false;
  Statement condition(0);
  attempt([&] { return rhs(i->getCond(), condition); });
  const auto outer = std::exchange(existing, {});
  for (const Operand &o : condition.operands)
    if (o.kind == Operand::Read && o.guard.empty())
      existing.push_back(o.access);
  auto assign = [&](const Stmt *one, bool isElse) {
    std::optional<Access> target =
        written(assignedBy(one), one->getSourceRange());
    if (!target)
      return false;
    if (!nest.arrays[target->array].isLocal() &&
        !is_contained(existing, *target))
      return refuseMissing(*target, one->getSourceRange());
    Statement s(nextStatement++, range(one->getSourceRange()));
    s.target = *target;
    Operand whether;
    whether.access = taken;
    s.text = isElse ? "!" : "";
    addOperand(whether, s);
    s.text += " ? ";
    ++underCondition;
    const bool good = chosenValue(one, *target, s);
    --underCondition;
    s.text += " : ";
    Operand self;
    self.access = *target;
    addOperand(std::move(self), s);
    return good && addStatement(std::move(s));
  };
  auto isSet = [&](bool isElse) {
    return [&, isElse](const Stmt *one) { return assign(one, isElse); };
  };
  const bool good = all_of(listOf(i->getThen()), isSet(false)) &&
                    all_of(listOf(i->getElse()), isSet(true));
  existing = outer;
  return good;
}

bool NestBuilder::chosenByData(const IfStmt *i) {
  std::vector<const Expr *> targets;
  Statement condition(0);
  for (const Stmt *branch : {i->getThen(), i->getElse()})
    if (areAssignments(branch))
      for (const Stmt *one : listOf(branch))
        targets.push_back(assignedBy(one));
    else if (!assignedIn(branch, targets))
      return false;
  if (i->getInit() || i->getConditionVariable() || targets.empty() ||
      !attempt([&] { return rhs(i->getCond(), condition); }))
    return false;
  std::optional<Refusal> refused = std::exchange(pending, std::nullopt);
  std::optional<Access> target = written(targets.front(), i->getSourceRange());
  const bool isOne = target && all_of(targets, [&](const Expr *e) {
                       auto a = attempt([&] { return access(e); });
                       return a && *a == *target;
                     });
  const bool isList = listOf(i->getThen()).size() > 1 ||
                      listOf(i->getElse()).size() > 1;
  if (target && (!isOne || isList) && areAssignments(i->getThen()) &&
      areAssignments(i->getElse()))
    return chosenSeveral(i);
  if (!isOne) {
    pending = std::move(refused);
    return false;
  }
  Statement s(nextStatement++, range(i->getSourceRange()));
  s.target = *target;
  const bool outer =
      std::exchange(mayBeTouched, nest.arrays[target->array].isLocal());
  const bool good = chosenValue(i, *target, s);
  mayBeTouched = outer;
  if (!good)
    return refuseMissing(*target, i->getSourceRange());
  return addStatement(std::move(s));
}

/// Whether sizes and iterators decide in \p c, and a statement that has all of
/// it would read what may be missing. Where \p c \p isWhole what is assigned,
/// its values are not converted to its own type before.
bool NestBuilder::mustBranch(const ConditionalOperator *c, bool isWhole) {
  // In a template, values of one type that is open have that type.
  const QualType yes = c->getTrueExpr()->IgnoreParenImpCasts()->getType();
  const QualType no = c->getFalseExpr()->IgnoreParenImpCasts()->getType();
  const bool isOneType = c->getType()->isDependentType() &&
                         !yes->isSpecificBuiltinType(BuiltinType::Dependent) &&
                         ast.hasSameUnqualifiedType(yes, no);
  auto isPlain = [&](const Expr *e) {
    const QualType type = e->IgnoreParenImpCasts()->getType();
    if (isOneType)
      return true;
    const bool isPromoted =
        !type->isDependentType() && ast.isPromotableIntegerType(type) &&
        ast.hasSameUnqualifiedType(ast.getPromotedIntegerType(type),
                                   c->getType());
    return !isWhole || isPromoted || !number(e).empty() ||
           ast.hasSameUnqualifiedType(type, c->getType());
  };
  Statement whole(0);
  return mayHoist && isPlain(c->getTrueExpr()) && isPlain(c->getFalseExpr()) &&
         !attempt([&] { return rhs(c, whole); }) &&
         attempt([&] { return pieces(c->getCond(), /*negated=*/false); });
}

/// `target op= a` where the condition of \p c holds, and `target op= b` where
/// not.
bool NestBuilder::storeChosen(const Access &target,
                              const ConditionalOperator *c,
                              BinaryOperatorKind op, clang::SourceRange where) {
  initialisers.erase(nextStatement);
  std::optional<Pieces> yes = pieces(c->getCond(), /*negated=*/false);
  std::optional<Pieces> no = pieces(c->getCond(), /*negated=*/true);
  auto storeValue = [&](const Expr *value) {
    auto same = attempt([&] { return access(value->IgnoreParenImpCasts()); });
    return (op == BO_Assign && same && *same == target) ||
           store(target, value, op, where);
  };
  return yes && no &&
         branches(
             *yes, [&] { return storeValue(c->getTrueExpr()); }, *no,
             [&] { return storeValue(c->getFalseExpr()); },
             c->getCond()->getSourceRange());
}

} // namespace convopt
