//===- Assignments.cpp - What statements assign ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An assignment stores to an array or a local, gives a size or an index its
/// value, or moves a pointer or an index.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Half.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/MathFunctions.h"

using namespace llvm;
using namespace clang;

namespace convopt {

static Statement::Op reduction(BinaryOperatorKind op) {
  switch (op) {
  case BO_AddAssign:
  case BO_Add:
    return Statement::Op::Add;
  case BO_SubAssign:
  case BO_Sub:
    return Statement::Op::Sub;
  case BO_MulAssign:
  case BO_Mul:
    return Statement::Op::Mul;
  default:
    return Statement::Op::Assign;
  }
}

/// \p e without a copy of a 16-bit number.
static const Expr *withoutCopy(const Expr *e) {
  auto copy = halfConversion(e);
  return copy && copy->to.empty() ? copy->value : e;
}

/// `a = a + e` and `a = e + a` are `a += e`.
static std::pair<const Expr *, const Expr *>
operandsOf(const Expr *e, BinaryOperatorKind &op) {
  e = e->IgnoreParenImpCasts();
  if (const auto *b = dyn_cast<BinaryOperator>(e)) {
    op = b->getOpcode();
    return {b->getLHS(), b->getRHS()};
  }
  if (auto half = halfOperator(e)) {
    op = *half;
    const auto *call = cast<CallExpr>(e);
    return {withoutCopy(call->getArg(0)), withoutCopy(call->getArg(1))};
  }
  const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
  if (o && isOfNumbers(o) && o->isInfixBinaryOp()) {
    op = BinaryOperator::getOverloadedOpcode(o->getOperator());
    return {o->getArg(0), o->getArg(1)};
  }
  return {nullptr, nullptr};
}

/// The next statement sets something of type \p to to \p value.
void NestBuilder::noteConversion(const Expr *value, QualType to) {
  if (ast.hasSameUnqualifiedType(value->IgnoreParenImpCasts()->getType(), to))
    unconverted.insert(nextStatement);
}

bool NestBuilder::isSameElement(const Expr *e, const Access &element) {
  auto a = attempt([&] { return access(e->IgnoreParenImpCasts()); });
  return a && *a == element;
}

/// `a = fma(x, y, a)`, all of one type, is `a += x * y`, rounded once. Sets
/// \p s to that, and returns the call.
const CallExpr *NestBuilder::fusedSum(const Expr *value, Statement &s) {
  const auto *call =
      dyn_cast<CallExpr>(withoutCopy(value->IgnoreParenImpCasts()));
  if (!call || call->getNumArgs() != 3 || call->getType()->isDependentType())
    return nullptr;
  const PureCallee callee = pureCallee(call);
  auto isSame = [&](const Expr *argument) {
    return ast.hasSameUnqualifiedType(argument->getType(), call->getType());
  };
  if (!callee.isPure || !is_contained(fusedFunctions(), callee.name) ||
      !all_of(call->arguments(), isSame))
    return nullptr;
  const Expr *sum = withoutCopy(call->getArg(2))->IgnoreParenImpCasts();
  if (!isSame(sum) || !isSameElement(sum, s.target))
    return nullptr;
  s.op = Statement::Op::Add;
  s.fused = (callee.isStd ? "std::" : "") + callee.name;
  return call;
}

/// `x * y` of `fma(x, y, a)`.
bool NestBuilder::rhsOfProduct(const CallExpr *fused, Statement &s) {
  for (unsigned k : {0, 1}) {
    s.text += k ? " * " : "";
    const size_t begin = s.text.size();
    if (!rhsOfArgument(fused->getArg(k), s))
      return false;
    if (is_contained({CExpr::Binary, CExpr::Choice, CExpr::Verbatim},
                     treeOf(nest, StringRef(s.text).substr(begin)).kind)) {
      s.text.insert(begin, "(");
      s.text += ")";
    }
  }
  return true;
}

bool NestBuilder::store(Access target, const Expr *value, BinaryOperatorKind op,
                        clang::SourceRange where) {
  if (const auto *c =
          dyn_cast<ConditionalOperator>(value->IgnoreParenImpCasts());
      c && mustBranch(c, /*isWhole=*/true))
    return storeChosen(target, c, op, where);
  Statement s(nextStatement++, range(where));
  s.target = target;
  s.op = reduction(op);
  if (const CallExpr *fused = op == BO_Assign ? fusedSum(value, s) : nullptr)
    return rhsOfProduct(fused, s) && addStatement(std::move(s));
  if (op == BO_Assign) {
    BinaryOperatorKind inner = BO_Comma;
    auto [l, r] = operandsOf(value, inner);
    bool commutes = inner == BO_Add || inner == BO_Mul;
    if (l && reduction(inner) != Statement::Op::Assign) {
      const Expr *rest = isSameElement(l, target)               ? r
                         : commutes && isSameElement(r, target) ? l
                                                                : nullptr;
      if (rest) {
        s.op = reduction(inner);
        value = rest;
      }
    }
  } else if (s.op == Statement::Op::Assign) {
    // a /= e
    s.text = "$0 ";
    s.operands.push_back({Operand::Read, target});
    s.text += BinaryOperator::getOpcodeStr(
                  BinaryOperator::getOpForCompoundAssignment(op))
                  .str() +
              " (";
    if (!rhs(value, s))
      return false;
    s.text += ")";
    return addStatement(std::move(s));
  }
  if (!rhs(value, s))
    return false;
  return addStatement(std::move(s));
}

bool NestBuilder::increment(Access target, bool up, clang::SourceRange where) {
  Statement s(nextStatement++, range(where));
  s.target = std::move(target);
  s.op = up ? Statement::Op::Add : Statement::Op::Sub;
  s.text = "1";
  return addStatement(std::move(s));
}

/// The element that \p target is, where the nest may write it.
std::optional<Access> NestBuilder::written(const Expr *target,
                                           clang::SourceRange where) {
  std::optional<Access> a = access(target);
  if (!a || !mayChange(a->array, where))
    return std::nullopt;
  if (!afterGuard || nest.arrays[a->array].isLocal())
    return a;
  return none(diag::WriteUnguarded, where,
              "an array is written outside of the bounds check",
              "write it where the thread's indices are in range");
}

/// Whether an assignment computes with integers.
static bool isOfIntegers(const Expr *assignment) {
  const auto *c = dyn_cast<CompoundAssignOperator>(assignment);
  return !c || c->getComputationResultType()->isIntegerType();
}

/// The value of \p target, which an assignment changes.
Expr *NestBuilder::loaded(const Expr *target) const {
  return ImplicitCastExpr::Create(ast, target->getType().getUnqualifiedType(),
                                  CK_LValueToRValue, const_cast<Expr *>(target),
                                  nullptr, VK_PRValue, FPOptionsOverride());
}

/// \p e as an integer of type \p to.
static Expr *asInteger(ASTContext &ast, Expr *e, QualType to) {
  return ast.hasSameUnqualifiedType(e->getType(), to)
             ? e
             : ImplicitCastExpr::Create(ast, to, CK_IntegralCast, e, nullptr,
                                        VK_PRValue, FPOptionsOverride());
}

/// `a / b` of \p whole, `a /= b`, computed in the type that C computes it in.
const Expr *NestBuilder::updated(const Expr *target, const Expr *value,
                                 BinaryOperatorKind op, const Expr *whole) {
  const auto *c = dyn_cast<CompoundAssignOperator>(whole);
  const QualType type = target->getType().getUnqualifiedType();
  const bool converts = c && isOfIntegers(whole) && !type->isBooleanType();
  Expr *old = loaded(target);
  if (converts)
    old = asInteger(ast, old, c->getComputationLHSType());
  Expr *result = BinaryOperator::Create(
      ast, old, const_cast<Expr *>(value),
      BinaryOperator::getOpForCompoundAssignment(op),
      converts ? c->getComputationResultType() : type, VK_PRValue, OK_Ordinary,
      target->getExprLoc(), FPOptionsOverride());
  return converts ? asInteger(ast, result, type) : result;
}

bool NestBuilder::assignment(const Expr *target, const Expr *value,
                             BinaryOperatorKind op, const Expr *whole) {
  const auto *v = dyn_cast_or_null<VarDecl>(named(target));
  const clang::SourceRange where = whole->getSourceRange();
  // `t -= n * size;` leaves what a thread's index is within one of n.
  const Binding *thread = bound(v, Binding::Thread);
  if ((op == BO_AddAssign || op == BO_SubAssign) && isMoving(v) && !thread) {
    std::optional<IndexExpr> by = index(value);
    if (by && v->getType()->isPointerType())
      obligeOffset(value, *by);
    return by && move(v, op == BO_SubAssign ? -*by : *by, where);
  }
  if (v && v->getType()->isPointerType())
    return op == BO_Assign && isMoving(v)
               ? mayChange(v, where) && bindPointer(v, value)
               : fail(diag::Alias, where,
                      "pointer '" + v->getNameAsString() +
                          "' is changed and may alias",
                      "subscript the parameter instead");
  if (truths.contains(v))
    return mayChange(v, where) &&
           bindTruth(v, op == BO_Assign ? value
                                        : updated(target, value, op, whole));
  const bool isIndex = v && v->isLocalVarDeclOrParm() && !use.holdsData(v) &&
                       v->getType()->isIntegralOrEnumerationType() &&
                       isOfIntegers(whole);
  if (isIndex)
    return mayChange(v, where) &&
           bindValue(v, op == BO_Assign ? value
                                        : updated(target, value, op, whole));
  std::optional<Access> a = written(target, where);
  noteConversion(value, target->getType());
  return a && store(std::move(*a), value, op, where);
}

/// `atomicAdd(&y[i], v);` is `y[i] += v;` where no other thread adds to y[i].
bool NestBuilder::atomicAdd(const CallExpr *call) {
  const clang::SourceRange where = call->getSourceRange();
  std::optional<ArrayPlace> p = pointer(call->getArg(0));
  if (!p || !mayChange(p->array, where))
    return false;
  if (!isElement(*p))
    return fail(diag::WholeRow, where, "this is a whole row of an array");
  if (afterGuard)
    return fail(diag::WriteUnguarded, where,
                "an array is written outside of the bounds check",
                "write it where the thread's indices are in range");
  const unsigned first = nextStatement;
  bool good =
      store(elementAt(std::move(*p)), call->getArg(1), BO_AddAssign, where);
  for (unsigned id = first; id != nextStatement; ++id)
    atomics.insert(id);
  return good;
}

/// `a = b = v` is `b = v; a = b;`, and one statement where both are one.
bool NestBuilder::chainedAssignment(const BinaryOperator *b) {
  const auto *inner =
      dyn_cast<BinaryOperator>(b->getRHS()->IgnoreParenImpCasts());
  if (!inner || !inner->isAssignmentOp())
    return assignment(b->getLHS(), b->getRHS(), b->getOpcode(), b);
  if (!chainedAssignment(inner))
    return false;
  auto to = attempt([&] { return access(b->getLHS()); });
  auto from = to ? attempt([&] { return access(inner->getLHS()); }) : to;
  return (from && *to == *from && b->getOpcode() == BO_Assign) ||
         assignment(b->getLHS(), loaded(inner->getLHS()), b->getOpcode(), b);
}

bool NestBuilder::expression(const Expr *e) {
  e = e->IgnoreParens();
  if (SmallVector<const Expr *> parts = commaParts(e); parts.size() > 1)
    return all_of(parts, [&](const Expr *part) { return expression(part); });
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(e))
    if (cast->getType()->isVoidType() &&
        isa<DeclRefExpr, IntegerLiteral, UnaryExprOrTypeTraitExpr>(
            cast->getSubExpr()->IgnoreParenImpCasts()))
      return true;
  if (std::optional<bool> asserted = assertion(e))
    return *asserted;
  if (auto [target, value] = recordAssignment(e); target)
    return readWithSteps(
        e, [&] { return assignRecord(target, value, e->getSourceRange()); });
  if (const auto *b = dyn_cast<BinaryOperator>(e))
    if (b->isAssignmentOp())
      return readWithSteps(e, [&] { return chainedAssignment(b); });
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    if (u->isIncrementDecrementOp()) {
      if (const ValueDecl *d = named(u->getSubExpr()); isMoving(d))
        return move(cast<VarDecl>(d), u->isIncrementOp() ? 1 : -1,
                    e->getSourceRange());
      std::optional<Access> a = access(u->getSubExpr());
      if (!a || !mayChange(a->array, e->getSourceRange()))
        return false;
      return increment(std::move(*a), u->isIncrementOp(), e->getSourceRange());
    }
  const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
  if (o && isOfNumbers(o) && o->isAssignmentOp())
    return readWithSteps(e, [&] {
      return assignment(o->getArg(0), o->getArg(1),
                        BinaryOperator::getOverloadedOpcode(o->getOperator()),
                        e);
    });
  const auto *call = dyn_cast<CallExpr>(e);
  if (const FunctionDecl *callee = call ? visibleDefinition(call) : nullptr)
    return runCall(call, callee);
  if (call && nest.function.isKernel && call->getNumArgs() == 2 &&
      pureCallee(call).name == "atomicAdd")
    return atomicAdd(call);
  if (call && isBarrier(call))
    return true;
  if (call) {
    const std::string name = pureCallee(call).name;
    return fail(diag::Call, e->getSourceRange(),
                "a call of '" + name +
                    "' may have side effects: " + whyNotVisible(call),
                name == "swap" ? diag::TakeTurns
                               : "a nest only assigns to arrays and local "
                                 "variables");
  }
  return fail(diag::Statement, e->getSourceRange(),
              "this expression is not part of a loop nest",
              "a nest only assigns to arrays and local variables");
}

} // namespace convopt
