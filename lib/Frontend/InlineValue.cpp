//===- InlineValue.cpp - What a function returns --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (c) return a; return b;` is `c ? a : b`. What stands before is declared
/// and computed before the statement that the call stands in: it reads what
/// that statement would, and writes variables of its own. A structure that is
/// set at the end and returned is what it is set to.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace convopt {

namespace {
/// A `return` of the function whose statements are visited.
class Returns : public DynamicRecursiveASTVisitor {
public:
  bool found = false;

  bool VisitReturnStmt(ReturnStmt *) override { return !(found = true); }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
};
} // namespace

bool mayReturn(const Stmt *s) {
  Returns visitor;
  visitor.TraverseStmt(const_cast<Stmt *>(s));
  return visitor.found;
}

/// The value of \p e, which initialises something of type \p to.
bool NestBuilder::converted(const Expr *e, QualType to, Statement &s) {
  const Expr *bare = e->IgnoreParenImpCasts();
  if (!ast.hasSameUnqualifiedType(bare->getType(), to))
    return rhsOfCast(e, to, e, s);
  // Other expressions are one word, or bring parentheses along.
  if (!isa<BinaryOperator, UnaryOperator, CXXOperatorCallExpr>(bare) ||
      isa<ParenExpr>(e->IgnoreImpCasts()))
    return rhs(e, s);
  s.text += "(";
  bool good = rhs(e, s);
  s.text += ")";
  return good;
}

bool alwaysReturns(const Stmt *s) {
  if (const auto *c = dyn_cast<CompoundStmt>(s))
    return !c->body_empty() && alwaysReturns(c->body_back());
  if (const auto *i = dyn_cast<IfStmt>(s))
    return i->getElse() && alwaysReturns(i->getThen()) &&
           alwaysReturns(i->getElse());
  return isa<ReturnStmt>(s);
}

/// The type of `c ? a : b` where a branch of each type is written as it is:
/// null where that may differ from converting each branch to \p to.
static QualType commonType(ASTContext &ast, QualType a, QualType b,
                           QualType to) {
  auto promoted = [&](QualType t) {
    t = t.getUnqualifiedType();
    return ast.isPromotableIntegerType(t) ? ast.getPromotedIntegerType(t) : t;
  };
  a = promoted(a);
  b = promoted(b);
  if (ast.hasSameType(a, b))
    return a;
  if (a->isRealFloatingType() && b->isRealFloatingType())
    return ast.getFloatingTypeOrder(a, b) > 0 ? a : b;
  if (!a->isArithmeticType() || !b->isArithmeticType())
    return {};
  if (a->isRealFloatingType())
    std::swap(a, b);
  // Rounded once, the wide integer of two that are.
  if (b->isRealFloatingType())
    return ast.getTypeSize(a) <= 32 || ast.hasSameUnqualifiedType(b, to)
               ? b
               : QualType();
  QualType wide = ast.getTypeSize(a) > ast.getTypeSize(b) ? a : b;
  bool isSame = a->isUnsignedIntegerType() == b->isUnsignedIntegerType();
  return isSame ? wide : QualType();
}

/// `if (c) return a; rest` as `c ? a : rest`, also where only one branch
/// returns.
const Expr *NestBuilder::chosen(const IfStmt *i, ArrayRef<const Stmt *> rest) {
  if (i->getInit() || i->getConditionVariable() || i->isConsteval()) {
    fail(diag::Statement, i->getSourceRange(),
         "an 'if' that declares a variable");
    return nullptr;
  }
  auto thenRest = [&](const Stmt *s) {
    return statementsOf(s, alwaysReturns(s) ? ArrayRef<const Stmt *>() : rest);
  };
  SmallVector<const Stmt *> otherwise(rest);
  if (const Stmt *e = i->getElse())
    otherwise = thenRest(e);
  auto branch = [&](bool isNo) {
    const SaveAndRestore outer(mayHoist, false);
    const bool chose = std::exchange(calls.back().chooses, true);
    auto when = attempt([&] { return pieces(i->getCond(), isNo); });
    auto value = [&] {
      return valueOf(isNo ? otherwise : thenRest(i->getThen()));
    };
    const Expr *e = under(when.value_or(Pieces()), value);
    calls.back().chooses = chose;
    return e;
  };
  const Expr *yes = branch(false), *no = yes ? branch(true) : nullptr;
  if (!no)
    return nullptr;
  const QualType to = calls.back().function->getReturnType();
  QualType type = to;
  if (to->isArithmeticType())
    type = commonType(ast, yes->IgnoreParenImpCasts()->getType(),
                      no->IgnoreParenImpCasts()->getType(), to);
  if (type.isNull()) {
    fail(diag::Call, i->getSourceRange(), "it returns values of several types",
         "convert them to one type");
    return nullptr;
  }
  auto *cond = const_cast<Expr *>(i->getCond());
  clang::SourceLocation at = i->getBeginLoc();
  return new (ast) ConditionalOperator(cond, at, const_cast<Expr *>(yes), at,
                                       const_cast<Expr *>(no), type,
                                       yes->getValueKind(), OK_Ordinary);
}

/// Whether \p s sets an index of the function that is called, and does nothing
/// else. What is chosen among is read later, and has one value.
bool NestBuilder::setsOwnIndex(const Stmt *s) {
  if (calls.back().chooses)
    return false;
  if (const auto *i = dyn_cast<IfStmt>(s))
    return setsIndex(i);
  const Expr *target = assignedBy(s);
  const VarDecl *v = target ? namedVariable(target) : nullptr;
  return v && v->getType()->isIntegerType() && isMoving(v) &&
         v->getDeclContext() == calls.back().function &&
         expression(cast<Expr>(s));
}

/// Whether \p s sets an index of who calls that has no value yet, and that
/// nothing else sets, where the function is also called for what it does. Where
/// \p s would not run, what reads the index reads none.
bool NestBuilder::setsUnset(const Stmt *s) {
  const Expr *target = assignedBy(s);
  const auto *v = dyn_cast_or_null<VarDecl>(target ? named(target) : nullptr);
  if (!v || calls.back().isValue || v->hasInit() || use.assignments(v) != 1 ||
      !isMoving(v))
    return false;
  auto it = scope.find(v);
  return (it == scope.end() || it->second.kind == Binding::Changed) &&
         expression(cast<Expr>(s));
}

/// A loop in \p s, or null.
static const Stmt *loopIn(const Stmt *s) {
  if (!s || isa<DoStmt, WhileStmt, ForStmt, CXXForRangeStmt>(s))
    return s;
  for (const Stmt *part : s->children())
    if (const Stmt *loop = loopIn(part))
      return loop;
  return nullptr;
}

/// Runs \p s, which stands before what is returned.
bool NestBuilder::hoist(const Stmt *s) {
  // A switch says itself what it is not.
  if (mayReturn(s) && !isa<SwitchStmt>(s))
    return fail(diag::Call, s->getSourceRange(),
                "it returns from within a statement that may also be left "
                "otherwise",
                "set a variable there, and return it at the end");
  // An assertion, or `(void)0` in the place of one, sets nothing.
  const auto *e = dyn_cast<Expr>(s);
  const bool isCheck =
      e && e->getType()->isVoidType() &&
      isa<ExplicitCastExpr, ConditionalOperator>(e->IgnoreParens());
  const bool isComputed = !mayHoist && !isCheck && !isa<DeclStmt, NullStmt>(s);
  const Stmt *body = isComputed ? calls.back().function->getBody() : nullptr;
  if (const Stmt *loop = loopIn(body))
    return fail(diag::Call, loop->getSourceRange(),
                "it computes an index or a condition by a loop",
                "choose among expressions: p < 0 ? -p : p");
  if (isComputed)
    return setsOwnIndex(s) || setsUnset(s) ||
           fail(diag::Call, s->getSourceRange(),
                "it computes its value by statements, and is called within an "
                "index or under a condition",
                "give its value a variable of its own before");
  return statement(s);
}

const Expr *NestBuilder::valueOf(ArrayRef<const Stmt *> body) {
  const std::optional<BuiltRecord> built = builtRecord(body);
  for (auto [k, s] : enumerate(body)) {
    if (built && k == built->first)
      return built->value;
    if (built && s == built->declaration)
      continue;
    ArrayRef<const Stmt *> rest = body.drop_front(k + 1);
    const auto *w = dyn_cast<SwitchStmt>(s);
    if (const Stmt *branches = w ? branchesOf(w, rest) : nullptr)
      return valueOf(branches);
    if (const auto *r = dyn_cast<ReturnStmt>(s))
      return r->getRetValue();
    if (isa<CompoundStmt>(s) && mayReturn(s))
      return valueOf(statementsOf(s, rest));
    const auto *i = dyn_cast<IfStmt>(s);
    if (i && mayReturn(i))
      return chosen(i, rest);
    if (!hoist(s))
      return nullptr;
  }
  fail(diag::Call, calls.back().function->getSourceRange(),
       "it does not return a value on every path");
  return nullptr;
}

/// The expression whose value \p e has, once the variables of \p e are bound.
const Expr *NestBuilder::lastOf(const StmtExpr *e) {
  const CompoundStmt *list = e->getSubStmt();
  const auto *value =
      list->body_empty() ? nullptr : dyn_cast<Expr>(list->body_back());
  auto isBound = [&](const Stmt *s) {
    return mayHoist || isa<DeclStmt, NullStmt>(s)
               ? statement(s)
               : fail(diag::Expression, s->getSourceRange(),
                      "this statement stands within an expression that is an "
                      "index or under a condition",
                      "give its value a variable of its own before");
  };
  if (!value)
    fail(diag::Expression, e->getSourceRange(),
         "these statements have no value");
  return value && all_of(drop_end(list->body()), isBound) ? value : nullptr;
}

/// The expression that \p callee returns, once its variables are bound.
const Expr *NestBuilder::returned(const FunctionDecl *callee) {
  const Expr *value = valueOf(statementsOf(callee->getBody(), {}));
  if (!value && !pending)
    fail(diag::Call, callee->getSourceRange(), "it returns nothing");
  return value;
}

/// The call that is evaluated before all else in \p condition.
static const CallExpr *firstCall(const Expr *condition) {
  const Expr *e = condition->IgnoreParenImpCasts();
  if (const auto *full = dyn_cast<FullExpr>(e))
    return firstCall(full->getSubExpr());
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    return u->getOpcode() == UO_LNot ? firstCall(u->getSubExpr()) : nullptr;
  if (const auto *b = dyn_cast<BinaryOperator>(e))
    return b->isLogicalOp() ? firstCall(b->getLHS()) : nullptr;
  return dyn_cast<CallExpr>(e);
}

/// Whether \p f may set a variable of who calls it.
static bool hasOutput(const FunctionDecl *f) {
  return any_of(f->parameters(), [](const ParmVarDecl *p) {
    const QualType to = p->getType()->getPointeeType();
    return !to.isNull() && to->isIntegerType() && !to.isConstQualified();
  });
}

/// Runs the call that \p condition begins with, where it sets variables beside
/// saying whether to go on: `if (!inside(y, x, &row, &column)) continue;`.
bool NestBuilder::decide(const Expr *condition) {
  const CallExpr *call = firstCall(condition);
  const FunctionDecl *callee = call ? visibleDefinition(call) : nullptr;
  decided.erase(call);
  if (!callee || !hasOutput(callee) ||
      attempt([&] { return pieces(condition, /*negated=*/false); }))
    return true;
  if (!enter(call, callee, /*isValue=*/false))
    return false;
  const SaveAndRestore outerTail(tail, false);
  const Expr *value = returned(callee);
  std::optional<Binding> b = value ? truth(value) : std::nullopt;
  leave();
  if (b)
    decided[call] = std::move(*b);
  return b.has_value();
}

/// A variable of a function that is called where no statement may be added:
/// each use is its value.
bool NestBuilder::bindText(const VarDecl *v, const Expr *init) {
  if (!init || use.assignments(v) || !v->getType()->isArithmeticType())
    return fail(diag::Call, v->getSourceRange(),
                "variable '" + v->getNameAsString() +
                    "' is changed in a function that is called within an index "
                    "or under a condition",
                "give the value of the call a variable of its own before");
  std::optional<Binding> b = standsFor(v, init);
  if (b)
    scope[v] = std::move(*b);
  return b.has_value();
}

/// A function within the function: what it captures means in its body what it
/// means around it. Copies have to be equal to what was copied.
bool NestBuilder::lambda(const VarDecl *v, const CXXRecordDecl *type) {
  for (const LambdaCapture &c : type->captures()) {
    if (!c.capturesVariable())
      return fail(diag::Call, c.getLocation(),
                  "lambda '" + v->getNameAsString() + "' captures an object");
    const auto *captured = cast<VarDecl>(c.getCapturedVar());
    if (captured->isInitCapture()) {
      if (!variable(captured, captured->getInit()))
        return false;
    } else if (c.getCaptureKind() == LCK_ByCopy &&
               use.assignments(captured) > !captured->hasInit()) {
      return fail(diag::Call, c.getLocation(),
                  "lambda '" + v->getNameAsString() + "' captures a copy of '" +
                      captured->getNameAsString() + "', which changes",
                  "capture it by reference");
    }
  }
  return true;
}

} // namespace convopt
