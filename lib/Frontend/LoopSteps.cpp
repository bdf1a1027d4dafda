//===- LoopSteps.cpp - The steps of `for` statements ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `for (i = lo; i < hi; i += s)` has `ceil((hi - lo) / s)` iterations. Where s
/// is a size, that it is positive is a fact to check, and the number of
/// iterations a size of its own.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "Resolve.h"

using namespace llvm;
using namespace clang;

namespace convopt {

bool NestBuilder::headerStep(const ForStmt *f, Header &h) {
  const Expr *step = nullptr;
  for (const Expr *part : commaParts(f->getInc()))
    if (!step && steppedVariable(part) == h.variable)
      step = part;
    else
      h.others.push_back(part);
  if (const auto *u = dyn_cast_or_null<UnaryOperator>(step)) {
    h.step = u->isIncrementOp() ? 1 : -1;
    return u->isIncrementDecrementOp() &&
           namedVariable(u->getSubExpr()) == h.variable;
  }
  const auto *b = dyn_cast_or_null<BinaryOperator>(step);
  if (!b || namedVariable(b->getLHS()) != h.variable)
    return false;
  const Expr *by = b->getRHS();
  bool down = b->getOpcode() == BO_SubAssign;
  if (b->getOpcode() == BO_Assign) { // i = i + s
    const auto *sum = dyn_cast<BinaryOperator>(by->IgnoreParenImpCasts());
    if (!sum || !sum->isAdditiveOp() ||
        namedVariable(sum->getLHS()) != h.variable)
      return false;
    by = sum->getRHS();
    down = sum->getOpcode() == BO_Sub;
  } else if (b->getOpcode() != BO_AddAssign && !down) {
    return false;
  }
  std::optional<IndexExpr> s = attempt([&] { return index(by); });
  if (!s)
    return false;
  if (std::optional<int64_t> n = nest.constantOf(*s)) {
    h.step = down ? -*n : *n;
    return *n != 0 && std::abs(*n) <= INT32_MAX;
  }
  if (s->usesLoops() || isChosen(*s) || hardware::isIn(*s) ||
      isNarrow(h.variable->getType()))
    return false;
  h.step = down ? -1 : 1;
  h.size = std::move(s);
  return true;
}

/// Gives \p l, which \p start begins and \p ends end, an iteration for each
/// step; \p value is that of the source's iterator.
bool NestBuilder::countSteps(const Header &h, ArrayRef<IndexExpr> start,
                             ArrayRef<IndexExpr> ends, Loop &l,
                             IndexExpr &value) {
  const std::string name = h.variable->getNameAsString();
  const clang::SourceRange where = h.init->getSourceRange();
  if (start.size() != 1)
    return fail(diag::IndexExtreme, where,
                "a loop with a step starts at one of several values");
  l.lower.push_back({0, 1});
  value = start.front() + h.distance() * IndexExpr::loop(l.id);
  if (h.size)
    addAssumption(nest, *h.size - 1, "the step of '" + name + "' is positive",
                  range(where));
  for (const IndexExpr &e : ends) {
    const IndexExpr length = h.step > 0 ? e - start.front() : start.front() - e;
    if (!h.size) {
      l.upper.push_back({length, std::abs(h.step)});
      continue;
    }
    if (length.usesLoops())
      return fail(diag::LoopForm, where,
                  "loop '" + name +
                      "' has a step that is no constant and bounds that other "
                      "loops change",
                  "count its iterations: for (int i = 0; i < n; ++i)");
    const IndexExpr steps = IndexExpr::floorDiv(length + *h.size - 1, *h.size);
    l.upper.push_back({IndexExpr::param(nest.params.size()), 1});
    nest.params.push_back({nameOf(name + "_steps"), "int", false, steps});
  }
  return true;
}

} // namespace convopt
