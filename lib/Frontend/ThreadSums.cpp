//===- ThreadSums.cpp - Indices of threads in parts -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadSums.h"
#include "NestBuilder.h"

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

/// The two of \p terms that are a tile's first index and a thread in the tile,
/// where their sum has a name.
std::optional<TileIndex> NestBuilder::tileIndex(ArrayRef<SumTerm> terms) {
  for (const SumTerm &part : terms) {
    const Binding *b =
        bound(named(part.e->IgnoreParenImpCasts()), Binding::Thread);
    if (part.isMinus || !b || threads.variables[b->number].loop)
      continue;
    const IndexExpr first = threads.variables[b->number].value;
    for (const SumTerm &other : terms) {
      std::optional<IndexExpr> more =
          &other != &part && !other.isMinus && !parseDigit(first)
              ? threadIndex(other.e)
              : std::nullopt;
      if (!more || !hardware::isIn(*more) || !parseDigit(first + *more))
        continue;
      auto whole = find_if(threads.variables, [&](const ThreadVariable &v) {
        return v.value == first + *more;
      });
      if (whole != threads.variables.end())
        return TileIndex{&part, &other,
                         unsigned(whole - threads.variables.begin())};
    }
  }
  return std::nullopt;
}

/// The sum of \p terms, of which two are \p tile.
std::optional<IndexExpr> NestBuilder::indexOfTerms(ArrayRef<SumTerm> terms,
                                                   const TileIndex &tile) {
  IndexExpr sum = loopOf(nest, threads.variables[tile.thread]);
  for (const SumTerm &rest : terms) {
    if (&rest == tile.first || &rest == tile.inTile)
      continue;
    ASSIGN_OR_RETURN(const IndexExpr e, index(rest.e));
    sum += rest.isMinus ? -e : e;
  }
  return sum;
}

} // namespace convopt
