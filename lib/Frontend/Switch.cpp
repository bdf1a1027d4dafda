//===- Switch.cpp - A choice among constants ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `switch (act) { case 1: case 2: ...; break; default: ... }` is one branch
/// for each list of statements, of which at most one runs: no list runs on into
/// the next. Where lists return a function's value, it is `if ... else if`.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {
// Each has a branch of its own.
static constexpr size_t maxValues = 16;

namespace {

/// Statements with the constants for which they run.
struct Choice {
  std::vector<int64_t> values;
  std::vector<const CaseStmt *> labels; // of these values
  bool isDefault = false, ends = false, returns = false;
  std::vector<const Stmt *> statements;
};

} // namespace

/// Takes the labels before \p s off it; false for one that is no constant.
static bool takeLabels(const Stmt *&s, Choice &choice, const ASTContext &ast) {
  auto isKnown = [&](const Expr *e, Expr::EvalResult &value) {
    return !e->isValueDependent() && e->EvaluateAsInt(value, ast);
  };
  while (const auto *label = dyn_cast<SwitchCase>(s)) {
    const auto *c = dyn_cast<CaseStmt>(label);
    Expr::EvalResult first, last;
    if (c && (!isKnown(c->getLHS(), first) ||
              !isKnown(c->getRHS() ? c->getRHS() : c->getLHS(), last)))
      return false;
    if (c) {
      choice.labels.push_back(c);
      const APSInt end = last.Val.getInt();
      for (APSInt v = first.Val.getInt();
           v <= end && choice.values.size() <= maxValues; ++v) {
        choice.values.push_back(v.getExtValue());
        if (v == end)
          break;
      }
    }
    choice.isDefault |= !c;
    s = label->getSubStmt();
  }
  return true;
}

/// The lists of \p body in their order; none where one runs on into the next,
/// or has no label.
static std::optional<std::vector<Choice>> choicesOf(const CompoundStmt *body,
                                                    const ASTContext &ast) {
  std::vector<Choice> all;
  for (const Stmt *s : body->body()) {
    if (isa<SwitchCase>(s)) {
      if (!all.empty() && !all.back().ends)
        return std::nullopt;
      all.emplace_back();
      if (!takeLabels(s, all.back(), ast))
        return std::nullopt;
    } else if (!all.empty() && all.back().returns && isa<BreakStmt>(s)) {
      continue;
    } else if (all.empty() || all.back().ends) {
      return std::nullopt;
    }
    const auto *block = dyn_cast<CompoundStmt>(s);
    const bool endsBlock =
        block && block->size() && isa<BreakStmt>(block->body_back());
    if (endsBlock)
      append_range(all.back().statements, drop_end(block->body()));
    else if (!isa<BreakStmt>(s))
      all.back().statements.push_back(s);
    all.back().returns = alwaysReturns(s);
    all.back().ends = endsBlock || isa<BreakStmt>(s) || all.back().returns;
  }
  return all;
}

/// Where \p e is none of \p values: before, between and after them.
static Pieces noneOf(const IndexExpr &e, std::vector<int64_t> values) {
  llvm::sort(values);
  Pieces pieces;
  for (size_t k = 0; k <= values.size(); ++k) {
    Conjunction between;
    if (k != 0)
      between.push_back({Constraint::NonNegative, e - values[k - 1] - 1});
    if (k != values.size())
      between.push_back({Constraint::NonNegative, -e + values[k] - 1});
    const bool isEmpty =
        k != 0 && k != values.size() && values[k] == values[k - 1] + 1;
    if (!isEmpty)
      pieces.push_back(std::move(between));
  }
  return pieces;
}

/// \p e as an operand.
static Expr *inParens(ASTContext &ast, const Expr *e) {
  auto *operand = const_cast<Expr *>(e);
  return isa<BinaryOperator, ConditionalOperator>(e->IgnoreImpCasts())
             ? new (ast) ParenExpr(e->getBeginLoc(), e->getEndLoc(), operand)
             : operand;
}

/// \p s with \p rest after it, as `if (e == 1) ...; else ...;`; null where no
/// list of it returns, or one runs on into the next.
const Stmt *NestBuilder::branchesOf(const SwitchStmt *s,
                                    ArrayRef<const Stmt *> rest) {
  const auto *body = dyn_cast<CompoundStmt>(s->getBody());
  auto all = body ? choicesOf(body, ast) : std::nullopt;
  if (!all || s->getInit() || s->getConditionVariable() || !mayReturn(s) ||
      any_of(*all, [](const Choice &c) { return c.values.size() > maxValues; }))
    return nullptr;
  const clang::SourceLocation at = s->getBeginLoc();
  auto block = [&](ArrayRef<const Stmt *> first, ArrayRef<const Stmt *> then) {
    SmallVector<Stmt *> list;
    for (const Stmt *one : concat<const Stmt *const>(first, then))
      list.push_back(const_cast<Stmt *>(one));
    return CompoundStmt::Create(ast, list, FPOptionsOverride(), at, at);
  };
  auto runs = [&](const Choice &c) {
    return block(c.statements, c.returns ? ArrayRef<const Stmt *>() : rest);
  };
  auto make = [&](const Expr *l, const Expr *r, BinaryOperatorKind op) {
    return BinaryOperator::Create(ast, const_cast<Expr *>(l),
                                  const_cast<Expr *>(r), op,
                                  ast.getLogicalOperationType(), VK_PRValue,
                                  OK_Ordinary, at, FPOptionsOverride());
  };
  Stmt *result = block(rest, {});
  for (const Choice &c : *all)
    if (c.isDefault)
      result = runs(c);
  for (const Choice &c : reverse(*all)) {
    if (c.isDefault)
      continue;
    Expr *isCase = nullptr;
    for (const CaseStmt *label : c.labels) {
      auto compared = [&](const Expr *with, BinaryOperatorKind op) {
        return make(inParens(ast, s->getCond()), inParens(ast, with), op);
      };
      const Expr *last = label->getRHS();
      Expr *isLabel = compared(label->getLHS(), last ? BO_GE : BO_EQ);
      if (last)
        isLabel = make(isLabel, compared(last, BO_LE), BO_LAnd);
      isCase = isCase ? make(isCase, isLabel, BO_LOr) : isLabel;
    }
    result = IfStmt::Create(ast, at, IfStatementKind::Ordinary, nullptr,
                            nullptr, isCase, at, at, runs(c), at, result);
  }
  return result;
}

bool NestBuilder::choice(const SwitchStmt *s) {
  const auto *body = dyn_cast<CompoundStmt>(s->getBody());
  auto all = body ? choicesOf(body, ast) : std::nullopt;
  if (!all || s->getInit() || s->getConditionVariable())
    return fail(diag::SwitchFallsThrough, s->getSourceRange(),
                "a 'switch' that runs on into a next case",
                "end each case with 'break'");
  std::optional<IndexExpr> e = index(s->getCond());
  if (!e)
    return false;
  if (s->getCond()->getType()->isUnsignedIntegerType())
    oblige(*e, s->getCond()->getSourceRange(),
           "an unsigned value does not wrap");
  std::vector<int64_t> values;
  for (const Choice &c : *all)
    append_range(values, c.values);
  if (values.size() > maxValues)
    return fail(diag::Cases, s->getSourceRange(),
                "a 'switch' has too many cases");
  // A branch among others is no loop's extent.
  auto marker = std::make_shared<Guard>();
  open.push_back(marker);
  auto outer = scope;
  bool good = all_of(*all, [&](const Choice &c) {
    Pieces where = c.isDefault ? noneOf(*e, values) : Pieces();
    for (int64_t v : c.values)
      where.push_back({{Constraint::Zero, *e - v}});
    scope = outer;
    if (c.statements.empty())
      return true;
    const clang::SourceRange at = s->getCond()->getSourceRange();
    std::optional<Pieces> all = withoutChoices(where, at);
    return all && branch(
                      *all, [&] { return list(c.statements); }, at);
  });
  open.pop_back();
  scope = std::move(outer);
  forgetAssigned(s);
  return good;
}

} // namespace convopt
