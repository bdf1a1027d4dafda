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
#include "Mentions.h"
#include "NestBuilder.h"
#include "Resolve.h"
#include "convopt/Nest/Polynomial.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// The statement that \p s is, through braces around it alone; null where it
/// is empty.
static const Stmt *soleStatement(const Stmt *s) {
  const auto *c = dyn_cast_or_null<CompoundStmt>(s);
  if (!c)
    return s && isa<NullStmt>(s) ? nullptr : s;
  return c->size() == 1    ? soleStatement(c->body_front())
         : c->body_empty() ? nullptr
                           : s;
}

/// What the branches of \p s assign, in its order; false where they do more.
static bool assignedIn(const Stmt *s, std::vector<const Expr *> &targets) {
  s = soleStatement(s);
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
    const bool isRead = any_of(
        readsOf(out), [&](const Operand &o) { return o.access == target; });
    addOperand({Operand::Read, target}, out);
    return isRead || nest.arrays[target.array].isLocal();
  };
  s = soleStatement(s);
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

/// The targets of \p branch, which only makes assignments, some of them in
/// branches of its own; false where it does more.
static bool collectTargets(const Stmt *branch,
                           std::vector<const Expr *> &targets) {
  return all_of(statementsOf(branch), [&](const Stmt *s) {
    if (const auto *i = dyn_cast<IfStmt>(s))
      return !i->getInit() && !i->getConditionVariable() && !i->isConsteval() &&
             collectTargets(i->getThen(), targets) &&
             collectTargets(i->getElse(), targets);
    targets.push_back(assignedBy(s));
    return targets.back() != nullptr;
  });
}

/// Whether a statement writes what \p read reads, whenever that is reached.
bool NestBuilder::isTouched(const DataRead &read) const {
  return any_of(statements(nest), [&](const StatementPath &p) {
    return p.statement->target == read.access &&
           all_of(p.enclosing, [&](const NodeRef &around) {
             return is_contained(read.around, around);
           });
  });
}

/// What has \p other, under \p enclosing, come to the element of \p a in some
/// iteration of the loops that are not \p around that, where it is reached: the
/// middle `x[i]` of `x[i + j - r]`. None where it need not.
static std::optional<Needs> needsToMeet(const Access &a,
                                        const std::vector<NodeRef> &around,
                                        const Access &other,
                                        ArrayRef<NodeRef> enclosing,
                                        const Prover &prover) {
  std::vector<const Loop *> own;
  for (const NodeRef &n : enclosing)
    if (!is_contained(around, n))
      own.push_back(dyn_cast<Loop>(n.get()));
  if (a.array != other.array ||
      a.subscripts.size() != other.subscripts.size() ||
      is_contained(own, nullptr))
    return std::nullopt;
  std::vector<IndexExpr> left; // for own loops to make up for
  for (const auto &[s, t] : zip(a.subscripts, other.subscripts))
    left.push_back(s - t);
  std::map<Var, IndexExpr> values;
  auto at = [&](const IndexExpr &e) {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      auto it = values.find(v);
      return it == values.end() ? std::nullopt : std::optional(it->second);
    });
  };
  Needs needs;
  const ProofDomain domain = ProofDomain::of(around);
  auto need = [&](const IndexExpr &e) {
    std::optional<Needs> more = prover.nonNegative(e, domain);
    if (more)
      append_range(needs, *more);
    return more.has_value();
  };
  for (const Loop *l : own) {
    IndexExpr value = at(l->lower[0].expr);
    for (const IndexExpr &e : left) {
      const IndexExpr times =
          -e.symbolicCoefficient(loopVar(l->id)).value_or(0);
      if (times.isZero())
        continue;
      const IndexExpr rest = e.substitute([&](Var v) {
        return any_of(own, [&](auto *o) { return loopVar(o->id) == v; })
                   ? std::optional(IndexExpr(0))
                   : std::nullopt;
      });
      value = divide(rest, times).quotient;
      break;
    }
    for (const Bound &b : l->lower)
      if (!need(value * IndexExpr(b.divisor) - at(b.expr)))
        return std::nullopt;
    for (const Bound &b : l->upper)
      if (!need(at(b.expr) - value * IndexExpr(b.divisor) - 1))
        return std::nullopt;
    values.emplace(loopVar(l->id), value);
    for (IndexExpr &e : left)
      e = at(e);
  }
  return all_of(left, std::mem_fn(&IndexExpr::isZero)) ? std::optional(needs)
                                                       : std::nullopt;
}

/// Whether a read that no data decide about meets the element, for sizes such
/// as most are, which the launcher then checks.
bool NestBuilder::isMet(const DataRead &read) {
  const Prover prover(nest);
  const std::vector<NodeRef> around(read.around.begin(), read.around.end());
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : readsOf(*p.statement)) {
      if (!o.guard.empty() || any_of(dataReads, [&](const DataRead &other) {
            return other.access == o.access;
          }))
        continue;
      std::optional<Needs> needs =
          needsToMeet(read.access, around, o.access, p.enclosing, prover);
      if (!needs || prover.shareOf(*needs) < SizeSamples::Many)
        continue;
      for (const IndexExpr &e : *needs)
        addAssumption(nest, e,
                      "'" + nest.arrays[read.access.array].name +
                          "' is read there whatever data say",
                      range(read.where));
      return true;
    }
  return false;
}

bool NestBuilder::finishDataReads() {
  return all_of(dataReads, [&](const DataRead &read) {
    return isTouched(read) || isMet(read) ||
           refuseMaybeRead(read.access.array, read.where);
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
/// own, since what is assigned may be what the condition asks. \p outer says
/// whether a branch around is taken; `s.text` begins with it.
bool NestBuilder::chosenSeveral(const IfStmt *i, const Statement &outer) {
  const clang::SourceRange where = i->getCond()->getSourceRange();
  Access taken;
  taken.array =
      addLocal(nameOf(StringRef("taken")), "bool", {}, i->getSourceRange());
  Statement asks(nextStatement++, range(where));
  asks.target = taken;
  asks.text = outer.text;
  asks.operands = outer.operands;
  const bool isInner = !outer.text.empty();
  asks.text += isInner ? " && (" : "";
  underCondition += isInner;
  bool good = rhs(i->getCond(), asks);
  underCondition -= isInner;
  asks.text += isInner ? ")" : "";
  const size_t known = existing.size();
  for (const Operand &o : readsOf(asks))
    if (o.guard.empty())
      existing.push_back(o.access);
  good = good && addStatement(std::move(asks));
  for (bool isElse : {false, true}) {
    const SaveAndRestore outerSet(setTo);
    for (const Stmt *one : statementsOf(isElse ? i->getElse() : i->getThen())) {
      Statement s(0);
      s.text = isElse ? isInner ? outer.text + " && !" : "!" : "";
      s.operands = isElse ? outer.operands : std::vector<Operand>();
      addOperand({Operand::Read, taken}, s);
      const auto *inner = dyn_cast<IfStmt>(one);
      good = good && (inner ? chosenSeveral(inner, s) : setWhere(one, s));
      noteSet(one);
    }
  }
  existing.resize(known);
  return good;
}

/// After \p one, `at = i;`, `at` is i to what follows in its branch.
void NestBuilder::noteSet(const Stmt *one) {
  const std::set<const VarDecl *> assigned = VariableUse::assignedIn(one);
  for (auto it = setTo.begin(); it != setTo.end();) {
    const bool isOld = any_of(assigned, [&](const VarDecl *v) {
      return v == it->first || mentions(it->second, v);
    });
    it = isOld ? setTo.erase(it) : std::next(it);
  }
  const auto *b = dyn_cast<BinaryOperator>(one);
  const VarDecl *v =
      b && b->getOpcode() == BO_Assign ? namedVariable(b->getLHS()) : nullptr;
  if (v && !mentions(b->getRHS(), v))
    setTo.emplace(v, b->getRHS());
}

/// The assignment \p one, where \p when says so.
bool NestBuilder::setWhere(const Stmt *one, Statement when) {
  const clang::SourceRange where = one->getSourceRange();
  std::optional<Access> target = written(assignedBy(one), where);
  if (!target)
    return false;
  if (!nest.arrays[target->array].isLocal() && !is_contained(existing, *target))
    return refuseMissing(*target, where);
  Statement s = std::move(when);
  s.id = nextStatement++;
  s.range = range(where);
  s.target = *target;
  s.text += " ? ";
  ++underCondition;
  const bool outer = std::exchange(mayBeTouched, true);
  const bool good = chosenValue(one, *target, s);
  mayBeTouched = outer;
  --underCondition;
  s.text += " : ";
  addOperand({Operand::Read, *target}, s);
  return good && addStatement(std::move(s));
}

/// Whether \p s, a branch, sets one variable in any case.
static bool alwaysSets(const Stmt *s) {
  s = soleStatement(s);
  const auto *b = dyn_cast_or_null<BinaryOperator>(s);
  const auto *i = dyn_cast_or_null<IfStmt>(s);
  return i ? alwaysSets(i->getThen()) && alwaysSets(i->getElse())
           : b && b->getOpcode() == BO_Assign;
}

/// \p i, whose condition was refused, as an assignment of a value that data
/// choose.
bool NestBuilder::chosenByData(const IfStmt *i) {
  std::vector<const Expr *> targets, alone;
  if (!collectTargets(i, targets) || targets.empty())
    return false;
  std::optional<Refusal> why;
  const bool isValue = attempt([&] {
    Statement condition(0);
    const bool good = rhs(i->getCond(), condition);
    why = pending;
    return good;
  });
  if (!isValue) {
    // Which says what to do about a read.
    if (why && why->rule == diag::DataBranch)
      pending = std::move(why);
    return false;
  }
  std::optional<Refusal> refused = std::exchange(pending, std::nullopt);
  std::optional<Access> target = written(targets.front(), i->getSourceRange());
  const bool isOne = target && all_of(targets, [&](const Expr *e) {
                       auto a = attempt([&] { return access(e); });
                       return a && *a == *target;
                     });
  const bool isList = !assignedIn(i, alone); // of each branch, several
  if (target && (!isOne || isList))
    return chosenSeveral(i, Statement(0));
  if (!isOne) {
    pending = std::move(refused);
    return false;
  }
  Statement s(nextStatement++, range(i->getSourceRange()));
  s.target = *target;
  const bool always = alwaysSets(i);
  const bool outer = std::exchange(
      mayBeTouched, always || nest.arrays[target->array].isLocal());
  const size_t known = existing.size();
  if (always)
    existing.push_back(*target);
  const bool good = chosenValue(i, *target, s);
  existing.resize(known);
  mayBeTouched = outer;
  if (!good && refused && refused->rule == diag::Cases) {
    pending = std::move(refused); // of indices, not of data
    return false;
  }
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
  unconverted.erase(nextStatement);
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
