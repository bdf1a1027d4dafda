//===- Inline.cpp - Calls of the source's own functions -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `relu(s)` is what relu returns, with s in the place of its parameter. So the
/// tiled code needs no declaration of relu, which C hides from CUDA, and the
/// value is looked into as any other.
///
//===----------------------------------------------------------------------===//

#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

// Functions that call one another; a recursive one never ends.
static constexpr unsigned maxInlined = 16;

const Expr *NestBuilder::returnedBy(const CallExpr *call) const {
  const FunctionDecl *f = call->getDirectCallee(), *definition = nullptr;
  const SourceManager &sm = ast.getSourceManager();
  if (!f || isa<CXXMethodDecl>(f) || isa<CXXOperatorCallExpr>(call) ||
      f->isVariadic() || !f->hasBody(definition) ||
      sm.isInSystemHeader(sm.getExpansionLoc(definition->getLocation())))
    return nullptr;
  const auto *body = dyn_cast<CompoundStmt>(definition->getBody());
  const auto *only = body && body->size() == 1
                         ? dyn_cast<ReturnStmt>(body->body_front())
                         : nullptr;
  auto isNumber = [](const ParmVarDecl *p) {
    return p->getType()->isArithmeticType() &&
           !p->getType().isVolatileQualified();
  };
  if (!only || !definition->getReturnType()->isArithmeticType() ||
      !all_of(definition->parameters(), isNumber))
    return nullptr;
  return only->getRetValue();
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

bool NestBuilder::rhsOfOwnCall(const CallExpr *call, const Expr *value,
                               Statement &s) {
  if (inlined == maxInlined)
    return fail(call->getSourceRange(), "calls within calls go too deep");
  const FunctionDecl *f = nullptr;
  call->getDirectCallee()->hasBody(f);
  std::map<const ValueDecl *, Binding> parameters;
  for (unsigned k = 0; k != f->getNumParams(); ++k) {
    Statement argument(0);
    const ParmVarDecl *p = f->getParamDecl(k);
    if (!converted(call->getArg(k), p->getType(), argument))
      return false;
    Binding &b = parameters[p];
    b.kind = Binding::Constant;
    b.text = std::move(argument.text);
    b.operands = std::move(argument.operands);
  }
  // A call within an argument is done with: parameters have one value at once.
  for (auto &[p, b] : parameters)
    scope[p] = std::move(b);
  ++inlined;
  bool good = converted(value, f->getReturnType(), s);
  --inlined;
  for (const ParmVarDecl *p : f->parameters())
    scope.erase(p);
  return good;
}

} // namespace convopt
