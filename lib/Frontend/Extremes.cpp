//===- Extremes.cpp - The least and the greatest of several values --------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop has several upper bounds, of which the least ends it, and several
/// lower ones: `min(a, b)`, `a < b ? a : b`, sums with these, and variables
/// that are set to them. Anywhere else such a value is no index.
///
/// Unsigned values are compared as what they wrap to, so that what is compared
/// must not wrap, and what is chosen must not where it is.
///
//===----------------------------------------------------------------------===//

#include "Half.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"
#include "convopt/Nest/Terms.h"

using namespace llvm;
using namespace clang;

namespace convopt {

// More bounds than this are no bounds of a convolution.
static constexpr size_t maxSeveral = 16;

std::optional<NestBuilder::Several>
NestBuilder::extremesOfCall(const CallExpr *call, bool isMax) {
  if (const FunctionDecl *own = visibleDefinition(call))
    return inlined(call, own, /*hoists=*/false,
                   [&](const Expr *value) { return extremes(value, isMax); });
  PureCallee callee = pureCallee(call);
  const SmallVector<const Expr *> compared = comparedBy(call);
  if (!callee.isPure || compared.empty() ||
      callee.name != (isMax ? "max" : "min"))
    return std::nullopt;
  Several all;
  for (const Expr *one : compared) {
    ASSIGN_OR_RETURN(auto some, extremes(one, isMax));
    append_range(all, some);
  }
  if (call->getType().getNonReferenceType()->isUnsignedIntegerType())
    for (const IndexExpr &e : all)
      oblige(e, call->getSourceRange(), "an unsigned index does not wrap");
  return all;
}

/// Each of \p all less each of \p others.
static std::vector<IndexExpr> differences(ArrayRef<IndexExpr> all,
                                          ArrayRef<IndexExpr> others) {
  std::vector<IndexExpr> result;
  for (const IndexExpr &x : all)
    for (const IndexExpr &y : others)
      result.push_back(x - y);
  return result;
}

/// Whether \p d is at most 0 where \p t is negative, and at least 0 elsewhere,
/// as of `t`, of `floor(t / s)`, and of one more than these.
static bool hasSignOf(const IndexExpr &d, const IndexExpr &t) {
  auto isNone = [](const IndexExpr &e) { return e.isZero() || e == 1; };
  return isNone(d - t) || any_of(d.terms(), [&](const auto &entry) {
           const auto &[product, times] = entry;
           return times == 1 && product.size() == 1 && !product[0].isVar() &&
                  product[0].num() == t && isNone(d - term(product));
         });
}

/// `a < b ? a : b`, and `a >= b ? a - b : 0`: of values that differ as what is
/// compared does, or as a quotient of that: `h < k ? 0 : (h - k) / s + 1`.
std::optional<NestBuilder::Several>
NestBuilder::extremesOfChoice(const ConditionalOperator *c, bool isMax) {
  const auto *test =
      dyn_cast<BinaryOperator>(c->getCond()->IgnoreParenImpCasts());
  if (!test || !test->isRelationalOp())
    return std::nullopt;
  auto branch = [&](bool isNo) {
    auto when = attempt([&] { return pieces(test, isNo); });
    return under(when.value_or(Pieces()), [&] {
      return extremes(isNo ? c->getFalseExpr() : c->getTrueExpr(), isMax);
    });
  };
  auto yes = branch(false), no = yes ? branch(true) : std::nullopt;
  if (!no)
    return std::nullopt;
  const BinaryOperatorKind op = test->getOpcode();
  const bool isLess = op == BO_LT || op == BO_LE;
  const bool isSigned = test->getLHS()->getType()->isSignedIntegerType();
  auto l = extremes(test->getLHS(), isMax), r = extremes(test->getRHS(), isMax);
  if (!l || !r) {
    // `end < K ? K - end : 0`, where `end` is the other extreme.
    const bool isRight = isLess == isMax; // what is more where the test holds
    const Expr *left = test->getLHS(), *right = test->getRHS();
    auto more = extremes(isRight ? right : left, isMax);
    auto less = more ? extremes(isRight ? left : right, !isMax) : std::nullopt;
    if (!isSigned || !less || no->size() != 1 ||
        differences(*yes, *no) != differences(*more, *less))
      return std::nullopt;
    append_range(*yes, *no);
    return yes;
  }
  // The first is chosen where `below` is negative.
  const Several &first = isLess ? *yes : *no, &second = isLess ? *no : *yes;
  const bool isSame = first == (isMax ? *r : *l) && second == (isMax ? *l : *r);
  if (!isSame && first.size() * second.size() * l->size() * r->size() != 1)
    return std::nullopt;
  const IndexExpr below =
      l->front() - r->front() - (op == BO_LE || op == BO_GT ? 1 : 0);
  const IndexExpr more = second.front() - first.front();
  if (!isSame && !hasSignOf(isMax ? more : -more, below))
    return std::nullopt;
  if (test->getLHS()->getType()->isUnsignedIntegerType()) {
    auto obligeAll = [&](const Several &all) {
      for (const IndexExpr &e : all)
        oblige(e, c->getSourceRange(), "an unsigned index does not wrap");
      return true;
    };
    obligeAll(*l);
    obligeAll(*r);
    for (bool isNo : {false, true})
      under(attempt([&] { return pieces(test, isNo); }).value_or(Pieces()),
            [&] { return obligeAll(isNo ? *no : *yes); });
  }
  append_range(*yes, *no);
  return yes;
}

/// What is subtracted is the greatest where the least is asked for.
std::optional<NestBuilder::Several>
NestBuilder::extremesOfSum(const BinaryOperator *b, bool isMax) {
  if (!b->isAdditiveOp() || !b->getType()->isSignedIntegerType())
    return std::nullopt;
  const bool isSub = b->getOpcode() == BO_Sub;
  auto l = extremes(b->getLHS(), isMax);
  auto r = l ? extremes(b->getRHS(), isMax != isSub) : std::nullopt;
  if (!r || l->size() * r->size() > maxSeveral)
    return std::nullopt;
  Several sums;
  for (const IndexExpr &x : *l)
    for (const IndexExpr &y : *r)
      sums.push_back(isSub ? x - y : x + y);
  return sums;
}

/// Those of which \p e is the least, or with \p isMax the greatest; one where
/// it is an index.
std::optional<NestBuilder::Several> NestBuilder::extremes(const Expr *e,
                                                          bool isMax) {
  const Expr *bare = e->IgnoreParenImpCasts();
  if (const auto *full = dyn_cast<FullExpr>(bare))
    bare = full->getSubExpr()->IgnoreParenImpCasts();
  if (const Binding *b = bound(named(bare), Binding::Extreme);
      b && b->isMax == isMax) {
    for (const IndexExpr &one : b->several)
      noteUnknown(one, e->getSourceRange());
    return b->several;
  }
  const SaveAndRestore chooses(mayChoose, false);
  auto all = attempt([&]() -> std::optional<Several> {
    if (!bare->getType()->isIntegerType())
      return std::nullopt;
    if (const auto *s = dyn_cast<StmtExpr>(bare))
      return inStatements(s, /*hoists=*/false, [&](const Expr *value) {
        return extremes(value, isMax);
      });
    if (const auto *call = dyn_cast<CallExpr>(bare))
      return extremesOfCall(call, isMax);
    if (const auto *c = dyn_cast<ConditionalOperator>(bare))
      return extremesOfChoice(c, isMax);
    const auto *b = dyn_cast<BinaryOperator>(bare);
    return b && !attempt([&] { return index(b); }) ? extremesOfSum(b, isMax)
                                                   : std::nullopt;
  });
  std::optional<IndexExpr> one = all ? std::nullopt : index(e);
  if (all)
    return all;
  return one ? std::optional(Several{*one}) : std::nullopt;
}

/// `int end = min(start + K, H);`
bool NestBuilder::bindExtreme(const VarDecl *v, const Expr *value) {
  if (isNarrow(v->getType()))
    return false; // it may wrap
  for (bool isMax : {false, true})
    if (auto all = attempt([&] { return extremes(value, isMax); })) {
      Binding b(Binding::Extreme);
      b.several = std::move(*all);
      b.isMax = isMax;
      scope[v] = std::move(b);
      return true;
    }
  return false;
}

/// `(a < b ? a : b)`
bool NestBuilder::rhsOfExtreme(const Binding &b, Statement &s) {
  auto add = [&](const IndexExpr &e) {
    addOperand({Operand::Index, {}, e}, s);
  };
  std::function<void(ArrayRef<IndexExpr>)> choose =
      [&](ArrayRef<IndexExpr> all) {
        if (all.size() == 1)
          return add(all.front());
        s.text += "(";
        add(all.front());
        s.text += b.isMax ? " > " : " < ";
        choose(all.drop_front());
        s.text += " ? ";
        add(all.front());
        s.text += " : ";
        choose(all.drop_front());
        s.text += ")";
      };
  choose(b.several);
  return true;
}

/// std::max and std::min are host functions: (a < b) ? b : a. Of a list, each
/// is compared with what the ones before make.
bool NestBuilder::rhsOfMinMax(const CallExpr *call, ArrayRef<const Expr *> all,
                              bool isMin, Statement &s) {
  const bool isFold = all.size() > 2 && mayHoist && !underCondition;
  auto isKnown = [](QualType t) {
    return isNumber(t) && !t->isSpecificBuiltinType(BuiltinType::Dependent);
  };
  QualType type = call->getType().getNonReferenceType();
  if (!isKnown(type)) // of a template, elements of one type
    type = all.front()->getType();
  type = type.getUnqualifiedType();
  if (isFold && isKnown(type)) {
    DeclRefExpr *most = addedVariable(function, call->getBeginLoc(),
                                      isMin ? "least" : "most", type);
    Binding b(Binding::Local);
    b.number = addLocal(most->getDecl()->getNameAsString(), spelling(type), {},
                        call->getSourceRange());
    scope[most->getDecl()] = b;
    auto set = [&](const Expr *value) {
      return store({b.number, {}}, value, BO_Assign, value->getSourceRange());
    };
    auto compared = [&](const Expr *one) {
      auto *next = const_cast<Expr *>(one);
      const clang::SourceLocation at = one->getBeginLoc();
      auto *less = BinaryOperator::Create(
          ast, isMin ? next : most, isMin ? most : next, BO_LT, ast.BoolTy,
          VK_PRValue, OK_Ordinary, at, FPOptionsOverride());
      return new (ast) ConditionalOperator(less, at, next, at, most, type,
                                           VK_PRValue, OK_Ordinary);
    };
    return set(all.front()) &&
           all_of(all.drop_front(),
                  [&](const Expr *one) { return set(compared(one)); }) &&
           rhs(most, s);
  }
  const Expr *b = all.back();
  auto a = [&] {
    return all.size() > 2 ? rhsOfMinMax(call, all.drop_back(), isMin, s)
                          : rhsOfArgument(all.front(), s);
  };
  auto part = [&](const char *before, bool isLast) {
    s.text += before;
    return isLast ? rhsOfArgument(b, s) : a();
  };
  // std::min is (b < a) ? b : a.
  const bool good = part("((", isMin) && part(") < (", !isMin) &&
                    part(") ? (", true) && part(") : (", false);
  s.text += "))";
  return good;
}

/// std::clamp is min(max(v, lo), hi), by the standard where lo is not greater
/// than hi, and of libstdc++ everywhere.
bool NestBuilder::rhsOfClamp(const CallExpr *call, Statement &s) {
  const Expr *v = call->getArg(0), *lo = call->getArg(1), *hi = call->getArg(2);
  const std::pair<const char *, const Expr *> parts[] = {
      {"((", hi},    {") < ((", v},  {") < (", lo}, {") ? (", lo},
      {") : (", v},  {")) ? (", hi}, {") : ((", v}, {") < (", lo},
      {") ? (", lo}, {") : (", v}};
  for (const auto &[before, part] : parts) {
    s.text += before;
    if (!rhsOfArgument(part, s))
      return false;
  }
  s.text += ")))";
  return true;
}

} // namespace convopt
