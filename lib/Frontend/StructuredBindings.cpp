//===- StructuredBindings.cpp - Names for the parts of an object ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StructuredBindings.h"
#include "Containers.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

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

namespace {
class Reads : public DynamicRecursiveASTVisitor {
public:
  explicit Reads(const DecompositionDecl *of) : of(of) {}

  unsigned mentions = 0, reads = 0;

  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    mentions += isOne(ref);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    reads += cast->getCastKind() == CK_LValueToRValue &&
             isOne(cast->getSubExpr()->IgnoreParens());
    return true;
  }

private:
  bool isOne(const Expr *e) const {
    const auto *ref = dyn_cast<DeclRefExpr>(e);
    const auto *b = ref ? dyn_cast<BindingDecl>(ref->getDecl()) : nullptr;
    return b && b->getDecomposedDecl() == of;
  }

  const DecompositionDecl *of;
};
} // namespace

bool areOnlyRead(const DecompositionDecl *d) {
  auto *owner =
      const_cast<Decl *>(Decl::castFromDeclContext(d->getDeclContext()));
  Reads found(d);
  found.TraverseStmt(owner->getBody());
  return found.mentions == found.reads;
}

} // namespace convopt
