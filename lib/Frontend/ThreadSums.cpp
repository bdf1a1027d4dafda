//===- ThreadSums.cpp - Indices of threads in parts -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadSums.h"

using namespace llvm;
using namespace clang;

namespace convopt {

static void addTerms(const Expr *e, bool isMinus, const ASTContext &ast,
                     SmallVector<SumTerm> &terms) {
  const Expr *bare = e->IgnoreParens();
  while (const auto *cast = dyn_cast<ImplicitCastExpr>(bare)) {
    const Expr *sub = cast->getSubExpr();
    if (cast->getCastKind() != CK_IntegralCast ||
        ast.getTypeSize(sub->getType()) != ast.getTypeSize(cast->getType()))
      break;
    bare = sub->IgnoreParens();
  }
  const auto *b = dyn_cast<BinaryOperator>(bare);
  if (!b || !b->isAdditiveOp() || !b->getType()->isIntegerType()) {
    terms.push_back({e, isMinus});
    return;
  }
  addTerms(b->getLHS(), isMinus, ast, terms);
  addTerms(b->getRHS(), isMinus != (b->getOpcode() == BO_Sub), ast, terms);
}

SmallVector<SumTerm> termsOf(const Expr *e, const ASTContext &ast) {
  SmallVector<SumTerm> terms;
  addTerms(e, /*isMinus=*/false, ast, terms);
  return terms;
}

} // namespace convopt
