//===- Conditions.cpp - Branches as constraints ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A condition and its negation as conjunctions that exclude one another:
/// `a || b` is `a`, or `!a && b`. So a branch becomes guards of which exactly
/// one holds.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "ReadOnly.h"

using namespace llvm;
using namespace clang;

namespace convopt {

// More pieces than this are a sign of something that is no bounds check.
static constexpr size_t maxPieces = 16;

static Pieces product(const Pieces &a, const Pieces &b) {
  Pieces result;
  for (const Conjunction &x : a)
    for (const Conjunction &y : b) {
      Conjunction both = x;
      copy_if(y, std::back_inserter(both),
              [&](const Constraint &c) { return !is_contained(x, c); });
      result.push_back(std::move(both));
    }
  return result;
}

bool contradict(ArrayRef<Constraint> all) {
  struct Values {
    int64_t least = INT64_MIN, most = INT64_MAX;
  };
  std::map<IndexExpr, Values> known; // of sums without a constant
  for (const Constraint &c : all) {
    const int64_t constant = c.expr.constantTerm();
    const IndexExpr sum = c.expr - constant;
    if (sum.isZero() || !sum.isValid())
      continue;
    const bool isZero = c.kind == Constraint::Zero;
    const bool isMinus = sum.terms().begin()->second < 0;
    Values &v = known[isMinus ? -sum : sum];
    if (isZero || !isMinus)
      v.least = std::max(v.least, isMinus ? constant : -constant);
    if (isZero || isMinus)
      v.most = std::min(v.most, isMinus ? constant : -constant);
    if (v.least > v.most)
      return true;
  }
  return false;
}

/// Whether \p b is `&&` or `||`, or `&` or `|` of what is true or false.
bool NestBuilder::isLogical(const BinaryOperator *b) const {
  auto isTruth = [&](const Expr *e) {
    return truths.isTruth(e) ||
           bound(named(e->IgnoreParenImpCasts()), Binding::Condition);
  };
  const bool isBitwise = b->getOpcode() == BO_And || b->getOpcode() == BO_Or;
  return b->isLogicalOp() ||
         (isBitwise && isTruth(b->getLHS()) && isTruth(b->getRHS()));
}

static Constraint nonNegative(const IndexExpr &e) {
  return {Constraint::NonNegative, e};
}

/// `(unsigned)e < size`: what is negative becomes larger than any size.
static Pieces wrappingComparison(const IndexExpr &e, const IndexExpr &size,
                                 BinaryOperatorKind op, bool negated) {
  bool isWithin = (op == BO_LT || op == BO_LE) != negated;
  bool isInclusive = op == BO_LE || op == BO_GT;
  IndexExpr left = size - e - (isInclusive ? 0 : 1);
  if (isWithin)
    return {{nonNegative(e), nonNegative(left)}};
  return {{nonNegative(-e - 1)}, {nonNegative(e), nonNegative(-left - 1)}};
}

/// The pointer that \p b tells from null, or null.
static const Expr *comparedWithNull(const BinaryOperator *b, ASTContext &ast) {
  auto isNull = [&](const Expr *e) {
    return e->isNullPointerConstant(ast, Expr::NPC_ValueDependentIsNotNull) !=
           Expr::NPCK_NotNull;
  };
  const Expr *l = b->getLHS(), *r = b->getRHS();
  if (!b->isEqualityOp() || isNull(l) == isNull(r) ||
      !(isNull(l) ? r : l)->getType()->isPointerType())
    return nullptr;
  return (isNull(l) ? r : l)->IgnoreParenImpCasts();
}

void addKnown(const Node &n, Conjunction &all) {
  if (const auto *g = dyn_cast<Guard>(&n))
    append_range(all, g->conditions);
  const auto *l = dyn_cast<Loop>(&n);
  if (!l)
    return;
  const IndexExpr v = IndexExpr::loop(l->id);
  for (const Bound &b : l->lower)
    if (b.divisor == 1)
      all.push_back({Constraint::NonNegative, v - b.expr});
  for (const Bound &b : l->upper)
    if (b.divisor == 1)
      all.push_back({Constraint::NonNegative, b.expr - 1 - v});
}

Conjunction NestBuilder::known() const {
  Conjunction all = evaluatedUnder;
  for (const std::shared_ptr<Node> &n : open)
    addKnown(*n, all);
  for (const ThreadVariable &v : threads.variables)
    if (v.loop)
      addKnown(*v.loop, all);
  return all;
}

/// Whether a term of \p e is negative although no iterator and no size is.
static bool subtracts(const IndexExpr &e) {
  return any_of(e.terms(), [](const auto &t) { return t.second < 0; });
}

/// `i + j - pad`, or `i + j` of a loop that begins at -1: negative in places.
bool NestBuilder::mayWrap(const IndexExpr &e) const {
  if (subtracts(e))
    return e.usesLoops();
  return any_of(open, [&](const std::shared_ptr<Node> &n) {
    const auto *l = dyn_cast<Loop>(n.get());
    return l && e.uses(loopVar(l->id)) &&
           all_of(l->lower, [](const Bound &b) { return subtracts(b.expr); });
  });
}

bool NestBuilder::isImpossible(Conjunction all) const {
  append_range(all, known());
  return contradict(all);
}

/// Where \p flag, which is 0 or 1, is 1.
Pieces NestBuilder::holds(const IndexExpr &flag, bool negated) const {
  return {{{Constraint::NonNegative, negated ? -flag : flag - 1}}};
}

/// What to write instead of a branch on \p e.
static const char *insteadOfBranch(const Expr *e) {
  return readsElement(e)
             ? "read what it decides about before it, and choose the value: v "
               "= x[...]; v = mask[...] ? v : 0"
             : "branches compare iterators and sizes";
}

std::optional<Pieces> NestBuilder::comparison(const BinaryOperator *b,
                                              bool negated) {
  if (const Expr *p = comparedWithNull(b, ast)) {
    ASSIGN_OR_RETURN(IndexExpr isThere, presence(p));
    return holds(isThere, negated != (b->getOpcode() == BO_EQ));
  }
  if (!b->getLHS()->getType()->isIntegralOrEnumerationType() ||
      !b->getRHS()->getType()->isIntegralOrEnumerationType())
    return none(diag::DataBranch, b->getSourceRange(),
                "a branch depends on data", insteadOfBranch(b));
  size_t obliged = obligations.size();
  std::optional<IndexExpr> l = index(b->getLHS());
  std::optional<IndexExpr> r = l ? index(b->getRHS()) : std::nullopt;
  if (!r)
    return std::nullopt;
  BinaryOperatorKind op = b->getOpcode();
  if (b->getLHS()->getType()->isUnsignedIntegerType()) {
    if (mayWrap(*r) && !mayWrap(*l)) {
      std::swap(l, r);
      op = BinaryOperator::reverseComparisonOp(op);
    }
    oblige(*r, b->getSourceRange(), "an unsigned size is not negative");
    if (mayWrap(*l) && BinaryOperator::isRelationalOp(op))
      return wrappingComparison(*l, *r, op, negated);
    oblige(*l, b->getSourceRange(), "an unsigned index does not wrap");
  }
  // Whether something is left over does not depend on the rounding.
  if (BinaryOperator::isEqualityOp(op) && (l->isZero() || r->isZero()))
    for (Obligation &o : takeDivided(obliged))
      if (*o.remainder != *l && *o.remainder != *r)
        obligations.push_back(std::move(o));
  if (negated)
    op = BinaryOperator::negateComparisonOp(op);
  std::optional<Pieces> result = compared(*l, *r, op, b->getSourceRange());
  return result ? withoutChoices(*result, b->getSourceRange()) : result;
}

std::optional<Pieces> NestBuilder::compared(const IndexExpr &l,
                                            const IndexExpr &r,
                                            BinaryOperatorKind op,
                                            clang::SourceRange where) {
  IndexExpr d = r - l;
  switch (op) {
  case BO_LT:
    return Pieces{{nonNegative(d - 1)}};
  case BO_LE:
    return Pieces{{nonNegative(d)}};
  case BO_GT:
    return Pieces{{nonNegative(-d - 1)}};
  case BO_GE:
    return Pieces{{nonNegative(-d)}};
  case BO_EQ:
    return Pieces{{{Constraint::Zero, d}}};
  case BO_NE: {
    Pieces all{{nonNegative(d - 1)}, {nonNegative(-d - 1)}};
    erase_if(all, [&](const Conjunction &c) { return isImpossible(c); });
    return all;
  }
  default:
    return none(diag::DataBranch, where, "this comparison is not understood");
  }
}

/// `c ? a : b` is `c && a`, or `!c && b`.
std::optional<Pieces> NestBuilder::choice(const ConditionalOperator *c,
                                          bool negated) {
  Pieces result;
  for (bool isNo : {false, true}) {
    std::optional<Pieces> when = pieces(c->getCond(), isNo), then;
    const Expr *value = isNo ? c->getFalseExpr() : c->getTrueExpr();
    if (when)
      then = under(*when, [&] { return pieces(value, negated); });
    if (!then)
      return std::nullopt;
    append_range(result, product(*when, *then));
  }
  if (result.size() <= maxPieces)
    return result;
  return none(diag::Cases, c->getSourceRange(), "a branch has too many cases");
}

std::optional<Pieces> NestBuilder::pieces(const Expr *e, bool negated) {
  e = e->IgnoreParenImpCasts();
  if (const auto *full = dyn_cast<FullExpr>(e))
    return pieces(full->getSubExpr(), negated);
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    if (u->getOpcode() == UO_LNot)
      return pieces(u->getSubExpr(), !negated);
  // `bias != nullptr` in a template, where other types have operators.
  if (const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
      o && (o->getOperator() == OO_EqualEqual ||
            o->getOperator() == OO_ExclaimEqual)) {
    auto *b = BinaryOperator::Create(
        ast, const_cast<Expr *>(o->getArg(0)), const_cast<Expr *>(o->getArg(1)),
        BinaryOperator::getOverloadedOpcode(o->getOperator()), ast.BoolTy,
        VK_PRValue, OK_Ordinary, o->getOperatorLoc(), FPOptionsOverride());
    if (comparedWithNull(b, ast))
      return comparison(b, negated);
  }
  if (const Binding *b = bound(named(e), Binding::Condition))
    return negated ? b->otherwise : b->pieces;
  if (e->getType()->isPointerType()) {
    ASSIGN_OR_RETURN(IndexExpr isThere, presence(e));
    return holds(isThere, negated);
  }
  if (const auto *literal = dyn_cast<CXXBoolLiteralExpr>(e))
    return literal->getValue() != negated ? Pieces{{}} : Pieces{};
  // Of assertions: `static_cast<bool>(i < n)`, `i < n && "why"`.
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(e);
      cast && cast->getType()->isBooleanType() &&
      cast->getSubExpr()->getType()->isBooleanType())
    return pieces(cast->getSubExpr(), negated);
  if (isa<clang::StringLiteral>(e))
    return negated ? Pieces{} : Pieces{{}};
  if (const auto *c = dyn_cast<ConditionalOperator>(e))
    return choice(c, negated);
  if (std::optional<IndexExpr> c = constant(e))
    return c->isZero() == negated ? Pieces{{}} : Pieces{};
  if (std::optional<IndexExpr> size = sizeOfEmpty(e))
    return compared(*size, 0, negated ? BO_NE : BO_EQ, e->getSourceRange());
  if (const auto *call = dyn_cast<CallExpr>(e)) {
    if (auto it = decided.find(call); it != decided.end())
      return negated ? it->second.otherwise : it->second.pieces;
    if (const FunctionDecl *callee = visibleDefinition(call))
      return inlined(call, callee, /*hoists=*/false,
                     [&](const Expr *value) { return pieces(value, negated); });
  }
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (b && b->isComparisonOp())
    return comparison(b, negated);
  if ((!b || !isLogical(b)) && e->getType()->isIntegralOrEnumerationType()) {
    // `if (i % 2)`
    size_t obliged = obligations.size();
    if (auto value = attempt([&] { return index(e); })) {
      for (Obligation &o : takeDivided(obliged))
        if (*o.remainder != *value)
          obligations.push_back(std::move(o));
      if (e->getType()->isBooleanType())
        return holds(*value, negated);
      return withoutChoices(
          *compared(*value, 0, negated ? BO_EQ : BO_NE, e->getSourceRange()),
          e->getSourceRange());
    }
  }
  if (!b || !isLogical(b))
    return none(diag::DataBranch, e->getSourceRange(),
                "a branch depends on data or is not affine",
                insteadOfBranch(e));
  bool isAnd =
      (b->getOpcode() == BO_LAnd || b->getOpcode() == BO_And) != negated;
  std::optional<Pieces> l = pieces(b->getLHS(), negated);
  // Where the right-hand side is looked at.
  std::optional<Pieces> before =
      l && !isAnd ? pieces(b->getLHS(), !negated) : l;
  std::optional<Pieces> r;
  auto right = [&] { return pieces(b->getRHS(), negated); };
  if (before) // `&` looks at it in any case
    r = b->isLogicalOp() ? under(*before, right) : right();
  if (!r)
    return std::nullopt;
  Pieces result = product(*before, *r);
  if (!isAnd)
    result.insert(result.begin(), l->begin(), l->end());
  // Of what both sides choose, most cases are not that of the other.
  if (result.size() > maxPieces)
    erase_if(result, [&](const Conjunction &c) { return isImpossible(c); });
  if (result.size() > maxPieces)
    return none(diag::Cases, e->getSourceRange(), "a branch has too many cases",
                "let it compare fewer values that are chosen among several");
  return result;
}

} // namespace convopt
