//===- SharedSizes.cpp - Sizes that one thread computes for its block -----===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   __shared__ int n;              int n;
///   if (threadIdx.x == 0)          n = h * w;
///     n = h * w;             ->
///   __syncthreads();
///
/// A number in shared memory that is set to what is the same in every thread is
/// a variable of each thread. Refused are numbers that differ between threads
/// or blocks, branches of one thread that do something else, and barriers
/// after which something was written that other threads could read.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Half.h"
#include "NestBuilder.h"
#include "ReadOnly.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// Whether \p v is one number in shared memory.
static bool isSharedNumber(const VarDecl *v) {
  return v->hasAttr<CUDASharedAttr>() && !v->hasExternalStorage() &&
         v->getType()->isIntegerType() && !v->getType()->isBooleanType() &&
         !v->getType().isVolatileQualified();
}

bool NestBuilder::sharedVariable(const VarDecl *v) {
  return (isSharedNumber(v) && !use.holdsData(v) && !use.isAddressTaken(v) &&
          atTop()) ||
         fail(diag::AlreadyStaged, {v->getLocation(), v->getEndLoc()},
              "'" + v->getNameAsString() +
                  "' is in shared memory: this kernel is already staged",
              "give convopt the naive kernel");
}

/// Whether \p condition holds for some threads of each block, its first one
/// among them: `threadIdx.x == 0`, `!tid`, or several of these.
bool NestBuilder::isOfFirstThread(const Expr *condition) {
  condition = condition->IgnoreParenImpCasts();
  const auto *b = dyn_cast<BinaryOperator>(condition);
  if (b && b->getOpcode() == BO_LAnd)
    return isOfFirstThread(b->getLHS()) && isOfFirstThread(b->getRHS());
  const auto *u = dyn_cast<UnaryOperator>(condition);
  const Expr *value = nullptr;
  if (u && u->getOpcode() == UO_LNot)
    value = u->getSubExpr();
  else if (b && b->getOpcode() == BO_EQ && constant(b->getRHS()) == 0)
    value = b->getLHS();
  else if (b && b->getOpcode() == BO_EQ && constant(b->getLHS()) == 0)
    value = b->getRHS();
  std::optional<IndexExpr> e = value ? threadIndex(value) : std::nullopt;
  auto isOf = [](const Atom &a, hardware::Kind kind) {
    auto h = a.isVar() ? hardware::parse(a.asVar()) : std::nullopt;
    return h && h->first == kind;
  };
  return e && !e->isZero() && all_of(e->terms(), [&](const auto &t) {
           return t.second > 0 && any_of(t.first, [&](const Atom &a) {
                    return isOf(a, hardware::ThreadIdx);
                  });
         });
}

bool NestBuilder::setsShared(const IfStmt *i) {
  const std::set<const VarDecl *> set = VariableUse::assignedIn(i->getThen());
  return nest.function.isKernel && atTop() && !i->getElse() && !set.empty() &&
         all_of(set, isSharedNumber) && isOfFirstThread(i->getCond());
}

bool NestBuilder::setShared(const IfStmt *i) {
  if (!list(statementsOf(i->getThen())))
    return false;
  for (const VarDecl *v : VariableUse::assignedIn(i->getThen())) {
    const Binding &b = scope[v];
    if (b.kind != Binding::Value || b.index.usesLoops() ||
        hardware::isIn(b.index))
      return fail(diag::AlreadyStaged, i->getSourceRange(),
                  "'" + v->getNameAsString() +
                      "', which is in shared memory, is no size that all "
                      "blocks agree on",
                  "compute it from the kernel's parameters alone");
  }
  return true;
}

bool NestBuilder::isBarrier(const CallExpr *call) {
  return nest.function.isKernel && atTop() &&
         pureCallee(call).name == "__syncthreads" && nest.body.empty();
}

} // namespace convopt
