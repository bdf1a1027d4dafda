//===- StructuredBindings.cpp - Names for the parts of an object ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StructuredBindings.h"
#include "Containers.h"
#include "ForEach.h"

using namespace clang;

namespace convopt {

const Expr *decomposed(const DecompositionDecl *d) {
  const Expr *e = d->getInit()->IgnoreImplicit();
  const auto *copy = dyn_cast<CXXConstructExpr>(e);
  return (copy && copy->getNumArgs() == 1 ? copy->getArg(0) : e)
      ->IgnoreParenImpCasts();
}

const Expr *boundPart(const BindingDecl *b, unsigned k, const Expr *of) {
  ASTContext &ast = b->getASTContext();
  if (b->getHoldingVar() ? containerType(of->getType()).has_value()
                         : of->getType()->isArrayType())
    return IntegerLiteral::Create(ast,
                                  llvm::APInt(ast.getIntWidth(ast.IntTy), k),
                                  ast.IntTy, b->getLocation());
  const auto *m = dyn_cast_or_null<MemberExpr>(b->getBinding());
  return m ? MemberExpr::CreateImplicit(ast, const_cast<Expr *>(of),
                                        /*IsArrow=*/false, m->getMemberDecl(),
                                        m->getType(), VK_LValue, OK_Ordinary)
           : nullptr;
}

bool areOnlyRead(const DecompositionDecl *d) {
  auto *owner =
      const_cast<Decl *>(Decl::castFromDeclContext(d->getDeclContext()));
  auto isOne = [&](const Expr *e) {
    const auto *ref = dyn_cast<DeclRefExpr>(e);
    const auto *b = ref ? dyn_cast<BindingDecl>(ref->getDecl()) : nullptr;
    return b && b->getDecomposedDecl() == d;
  };
  unsigned mentions = 0, reads = 0;
  forEach<Expr>(owner->getBody(), [&](Expr *e) {
    const auto *cast = dyn_cast<ImplicitCastExpr>(e);
    mentions += isOne(e);
    reads += cast && cast->getCastKind() == CK_LValueToRValue &&
             isOne(cast->getSubExpr()->IgnoreParens());
  });
  return mentions == reads;
}

} // namespace convopt
