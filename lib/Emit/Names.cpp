//===- Names.cpp - Variables and expressions of emitted code --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace convopt::emit {

bool isLinear(const IndexExpr &e) {
  return llvm::all_of(e.terms(),
                      [](const auto &term) { return term.first.size() <= 1; });
}

bool isSum(const IndexExpr &e) {
  auto isUnit = [](const Atom &a) {
    return a.isVar() || (isSum(a.num()) && isSum(a.den()));
  };
  return isLinear(e) && llvm::all_of(e.terms(), [&](const auto &term) {
           return term.first.empty() ||
                  (std::abs(term.second) == 1 && isUnit(term.first[0]));
         });
}

Names::Names(const Nest &nest, ArrayRef<std::string> reserved)
    : nest(&nest), nextVariable(1u << 20) {
  for (const std::string &name : reserved)
    used.insert(name);
  for (const Param &p : nest.params)
    used.insert(p.name);
  for (const Array &a : nest.arrays)
    used.insert(a.name);
  for (const Argument &a : nest.function.arguments)
    used.insert(a.name);
  for (const std::string &t : nest.function.templateArgs)
    used.insert(t);
  auto reserveWords = [&](StringRef text) {
    while (!text.empty()) {
      StringRef word =
          text.take_while([](char c) { return isAlnum(c) || c == '_'; });
      if (!word.empty())
        used.insert(word);
      text = text.drop_front(std::max<size_t>(1, word.size()));
    }
  };
  // Texts of the source may name globals, which nothing of ours may shadow.
  for (const StatementPath &p : statements(nest)) {
    reserveWords(p.statement->text);
    for (const Operand &o : p.statement->operands)
      reserveWords(o.otherwise);
  }
  for (const Array &a : nest.arrays)
    reserveWords(a.elementType);
  for (const Argument &a : nest.function.arguments)
    reserveWords(a.type);
  for (const std::string &t : nest.function.gridText)
    reserveWords(t);
  for (const char *word :
       {"blockIdx", "threadIdx", "blockDim", "gridDim", "min", "max"})
    used.insert(word);
}

std::string Names::fresh(StringRef wish) {
  std::string name = wish.str();
  for (unsigned n = 2; used.contains(name); ++n)
    name = (wish + Twine(wish.back() >= '0' && wish.back() <= '9' ? "_" : "") +
            Twine(n))
               .str();
  used.insert(name);
  return name;
}

std::string Names::operator()(Var v) const {
  auto it = printed.find(key(v));
  return it != printed.end() ? it->second : nest->name(v);
}

Var Names::variable(StringRef wish) {
  Var v = loopVar(nextVariable++);
  bind(v, fresh(wish));
  return v;
}

Let Names::addLet(const IndexExpr &value, StringRef wish,
                  std::optional<Var> v) {
  Let let{v ? *v : loopVar(nextVariable++), value};
  bind(let.variable, fresh(wish));
  lets.push_back(let);
  return let;
}

/// `e / d` where that leaves no remainder and is not zero.
static std::optional<IndexExpr> dividedBy(const std::optional<IndexExpr> &e,
                                          int64_t d) {
  if (!e || e->isZero() || d == 0 ||
      llvm::any_of(e->terms(),
                   [&](const auto &term) { return term.second % d != 0; }))
    return std::nullopt;
  return IndexExpr::floorDiv(d < 0 ? -*e : *e, IndexExpr(std::abs(d)));
}

IndexExpr Names::fold(IndexExpr e) const {
  // Later lets are longer sums, and subtracting one must remove all its loops.
  for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
    std::set<Var> vars = let->value.vars();
    auto first = llvm::find_if(vars, [](Var v) { return v.kind == Var::Loop; });
    if (first == vars.end())
      continue;
    std::optional<IndexExpr> times = dividedBy(e.symbolicCoefficient(*first),
                                               let->value.coefficient(*first));
    if (!times)
      continue;
    IndexExpr rest = e - *times * let->value;
    if (llvm::any_of(
            vars, [&](Var v) { return v.kind == Var::Loop && rest.uses(v); }))
      continue;
    e = rest + *times * IndexExpr::of(let->variable);
  }
  return e;
}

/// Floor quotients print as calls: C's `/` and `%` round to zero.
std::string Names::withQuotients(const IndexExpr &e) const {
  *floorDiv = true;
  std::string text;
  for (const auto &[monomial, coefficient] : e.terms()) {
    std::string product = std::to_string(coefficient);
    for (const Atom &a : monomial) {
      std::string factor = a.isVar() ? (*this)(a.asVar())
                                     : floorDivName + "(" + expr(a.num()) +
                                           ", " + expr(a.den()) + ")";
      product = product == "1" ? factor : product + " * " + factor;
    }
    text += (text.empty() ? "" : " + ") + product;
  }
  return text;
}

std::string Names::expr(const IndexExpr &e) const {
  return e.hasQuotient() ? withQuotients(e) : e.str(*this);
}

bool Names::isInt(const IndexExpr &e) const {
  return llvm::all_of(e.vars(), [&](Var v) {
    return v.kind == Var::Loop || !nest->params[v.id].definition ||
           isLinear(nest->expandDefinitions(IndexExpr::of(v)));
  });
}

Names Names::widened(const IndexExpr &e) const {
  Names wide = *this;
  for (Var v : e.vars())
    wide.bind(v, "(" + offset + ")" + (*this)(v));
  return wide;
}

std::string Names::wide(const IndexExpr &e) const {
  if (isSum(e))
    return expr(e);
  if (e.hasQuotient())
    return widened(e).expr(e);
  // One wide factor makes a product wide. Subtracted terms come last.
  std::string sum, less;
  for (const auto &[monomial, coefficient] : e.terms()) {
    if (monomial.empty())
      continue;
    std::string product;
    if (std::abs(coefficient) != 1)
      product = std::to_string(std::abs(coefficient)) + " * ";
    std::string factor = (*this)(monomial[0].asVar());
    // A wide size that counts as int need not be narrowed first.
    StringRef whole = factor;
    whole.consume_front("(int)");
    bool isProduct = std::abs(coefficient) != 1 || !isLinear(e);
    product += (isProduct ? "(" + offset + ")" + whole.str() : factor);
    for (const Atom &a : llvm::drop_begin(monomial))
      product += " * " + (*this)(a.asVar());
    if (coefficient < 0)
      less += " - " + product;
    else
      sum += (sum.empty() ? "" : " + ") + product;
  }
  if (int64_t constant = e.constantTerm())
    less += (constant < 0 ? " - " : " + ") + std::to_string(std::abs(constant));
  return (sum.empty() ? "0" : sum) + less;
}

std::string Names::operand(const IndexExpr &e) const {
  std::string text = expr(e);
  bool simple = e.terms().size() <= 1 && text.find(' ') == std::string::npos;
  return simple ? text : "(" + text + ")";
}

std::string Names::compare(const Constraint &c, bool negated) const {
  // expr >= 0 is `right - left + constant >= 0` with positive sides.
  IndexExpr left, right;
  for (const auto &[monomial, coefficient] : c.expr.terms()) {
    if (monomial.empty())
      continue;
    IndexExpr term(1);
    for (const Atom &a : monomial)
      term = term * (a.isVar() ? IndexExpr::of(a.asVar())
                               : IndexExpr::floorDiv(a.num(), a.den()));
    if (coefficient < 0)
      left += IndexExpr(-coefficient) * term;
    else
      right += IndexExpr(coefficient) * term;
  }
  int64_t constant = c.expr.constantTerm();
  if (c.kind == Constraint::Zero) {
    (constant < 0 ? left : right) += IndexExpr(std::abs(constant));
    return expr(left) + (negated ? " != " : " == ") + expr(right);
  }
  bool strict = constant == -1; // left < right
  IndexExpr shift(strict ? 0 : constant);
  if (left.isZero() && !right.isZero()) {
    // right >= -constant
    return expr(right) + (negated ? " < " : " >= ") +
           expr(IndexExpr(-constant));
  }
  if (shift.constantTerm() < 0)
    left -= shift;
  else
    right += shift;
  const char *op =
      strict ? (negated ? " >= " : " < ") : (negated ? " > " : " <= ");
  return expr(left) + op + expr(right);
}

std::string Names::conjunction(const std::vector<Constraint> &all,
                               bool negated) const {
  std::string text;
  for (const Constraint &c : all) {
    if (!text.empty())
      text += negated ? " || " : " && ";
    text += compare(c, negated);
  }
  return text;
}

} // namespace convopt::emit
