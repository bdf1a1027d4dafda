//===- Names.cpp - Variables and expressions of emitted code --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <numeric>
#include <set>

using namespace llvm;

namespace convopt::lower {

using program::Expr;
using program::Op;
using program::Type;
using program::Variable;

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

std::vector<std::string> namesOfOthers(ArrayRef<std::string> macros) {
  std::vector<std::string> names(macros);
  for (const char *word :
       {"blockIdx", "threadIdx", "blockDim", "gridDim", "min", "max"})
    names.push_back(word);
  return names;
}

Names::Names(const Nest &nest, ArrayRef<std::string> reserved)
    : nest(&nest), nextVariable(1u << 20), used(usedNames(nest)) {
  used.insert(nest.function.name); // which what replaces it calls
  for (const std::string &name : namesOfOthers(reserved))
    used.insert(name);
  for (size_t k = 0; k != nest.params.size(); ++k)
    bind(paramVar(k), nest.params[k].name);
}

void Names::bind(Var v, std::string name, bool isConst) {
  Variable variable{std::move(name)};
  variable.isConst = isConst;
  bind(v, Expr(std::make_shared<Variable>(std::move(variable))));
}

Expr Names::operator()(Var v) const {
  auto it = values.find(key(v));
  if (it == values.end()) // of a loop that has no variable here
    return Expr(std::make_shared<Variable>(Variable{nest->name(v)}));
  const Expr &e = it->second;
  bool isIndex = e.type().kind == Type::Unsigned;
  return isIndex && isSigned ? Expr::cast(Type::integer(), e) : e;
}

Var Names::variable(StringRef wish, bool isConst) {
  Var v = loopVar(nextVariable++);
  bind(v, fresh(wish), isConst);
  return v;
}

Let Names::addLet(const IndexExpr &value, StringRef wish,
                  std::optional<Var> v) {
  Let let{v ? *v : loopVar(nextVariable++), value};
  bind(let.variable, fresh(wish), /*isConst=*/true);
  lets.push_back(let);
  return let;
}

IndexExpr Names::fold(IndexExpr e) const {
  // Later lets are longer sums, and subtracting one must remove all its loops.
  for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
    std::set<Var> vars = let->value.vars();
    auto first = llvm::find_if(vars, [](Var v) { return v.kind == Var::Loop; });
    if (first == vars.end())
      continue;
    const std::optional<IndexExpr> all = e.symbolicCoefficient(*first);
    const std::optional<IndexExpr> times =
        all ? divideExactly(*all, let->value.coefficient(*first)) : all;
    if (!times || times->isZero())
      continue;
    IndexExpr rest = e - *times * let->value;
    if (llvm::any_of(
            vars, [&](Var v) { return v.kind == Var::Loop && rest.uses(v); }))
      continue;
    e = rest + *times * IndexExpr::of(let->variable);
  }
  return e;
}

/// The greatest value of \p v, which is never negative.
std::optional<int64_t> Names::greatest(Var v) const {
  for (const Let &let : lets)
    if (let.variable == v && !let.value.uses(v)) // not of a loop of that name
      return greatest(let.value);
  if (auto count = counts.find(v.id);
      v.kind == Var::Loop && count != counts.end())
    return count->second;
  return greatestIteration(*nest, v);
}

std::optional<int64_t> Names::greatest(const IndexExpr &e) const {
  return greatestValue(e, [&](Var v) { return greatest(v); });
}

bool Names::isSmallCount(const IndexExpr &e) const {
  std::optional<int64_t> most = greatest(e);
  return e.isValid() && most && *most <= INT32_MAX;
}

QuotientSplit Names::split(const IndexExpr &e, int64_t den) const {
  return splitDividend(e, den, [&](Var v) { return greatest(v); });
}

/// Whether \p e is of sizes alone, and negative for none that the launcher
/// takes. Text that it computes before it has asked is not used for others.
bool Names::isKnownCount(const IndexExpr &e) const {
  return !e.usesLoops() && !e.hasQuotient() && signOf(*nest, e) == 1;
}

/// Floor quotients are calls where the dividend may be negative, as C's `/` and
/// `%` round to zero, or be no int.
Expr Names::quotient(const Atom &a) const {
  IndexExpr num = a.num(), den = a.den();
  if (std::optional<int64_t> constant = den.asConstant()) {
    const QuotientSplit s = split(num, *constant);
    num = s.whole;
    den = *constant / s.factor;
  }
  if (den == IndexExpr(1))
    return value(num);
  if (den.isConstant() && (isSmallCount(a.num()) || isKnownCount(a.num())))
    return Expr::binary(program::Op::Div, value(num), value(den));
  return Expr::call(floorDiv, {value(num), value(den)});
}

/// `a % m` and the rest, where \p e has a remainder of a small count.
std::optional<Expr> Names::withRemainder(const IndexExpr &e) const {
  const std::optional<Remainder> r = findRemainder(
      e, [&](const IndexExpr &dividend) { return isSmallCount(dividend); });
  if (!r)
    return std::nullopt;
  const QuotientSplit s = split(r->dividend, r->modulus);
  Expr value(0);
  if (s.factor != r->modulus)
    value =
        Expr(s.factor) * Expr::binary(program::Op::Rem, this->value(s.whole),
                                      r->modulus / s.factor);
  const IndexExpr others = r->rest + s.rest;
  return others.isZero() ? value : value + this->value(others);
}

Expr Names::withQuotients(const IndexExpr &e) const {
  if (std::optional<Expr> remainder = withRemainder(e))
    return *remainder;
  Expr sum(0);
  for (const auto &[monomial, coefficient] : e.terms()) {
    Expr product(coefficient);
    for (const Atom &a : monomial)
      product = product * (a.isVar() ? (*this)(a.asVar()) : quotient(a));
    sum = sum + product;
  }
  return sum;
}

/// What is added comes first, what is subtracted last.
Expr Names::value(const IndexExpr &e) const {
  if (e.hasQuotient())
    return withQuotients(e);
  const int64_t constant = e.constantTerm();
  Expr sum(0), less(0);
  std::vector<Expr> subtracted;
  for (const auto &[monomial, coefficient] : e.terms()) {
    if (monomial.empty())
      continue;
    Expr product(std::abs(coefficient));
    for (const Atom &a : monomial)
      product = product * (*this)(a.asVar());
    if (coefficient < 0)
      subtracted.push_back(product);
    else
      sum = sum + product;
  }
  const bool isFirst = constant > 0 && sum.isNumber(0);
  if (isFirst)
    sum = constant;
  for (const Expr &product : subtracted)
    sum = sum - product;
  return isFirst ? sum : sum + constant;
}

bool Names::isInt(const IndexExpr &e) const {
  return llvm::all_of(e.vars(), [&](Var v) {
    return v.kind == Var::Loop || !nest->params[v.id].definition ||
           isLinear(nest->expandDefinitions(IndexExpr::of(v)));
  });
}

/// A wide size that counts as int need not be narrowed first.
static Expr widenedFactor(const Expr &e, const Type &type) {
  bool isNarrowed = e.kind() == Expr::Cast && e.type().kind == Type::Int;
  return Expr::cast(type, isNarrowed ? e.operand(0) : e);
}

Names Names::widened(const IndexExpr &e) const {
  Names wide = *this;
  for (Var v : e.vars())
    wide.bind(v, Expr::cast(offsetType(), (*this)(v)));
  return wide;
}

Expr Names::wideValue(const IndexExpr &e) const {
  if (isSum(e))
    return value(e);
  if (e.hasQuotient())
    return widened(e).value(e);
  // One wide factor makes a product wide.
  Expr sum(0);
  std::vector<Expr> subtracted;
  for (const auto &[monomial, coefficient] : e.terms()) {
    if (monomial.empty())
      continue;
    Expr factor = (*this)(monomial[0].asVar());
    if (std::abs(coefficient) != 1 || !isLinear(e))
      factor = widenedFactor(factor, offsetType());
    Expr product = Expr(std::abs(coefficient)) * factor;
    for (const Atom &a : llvm::drop_begin(monomial))
      product = product * (*this)(a.asVar());
    if (coefficient < 0)
      subtracted.push_back(product);
    else
      sum = sum + product;
  }
  for (const Expr &product : subtracted)
    sum = sum - product;
  return sum + e.constantTerm();
}

Expr Names::condition(const Constraint &c, bool negated) const {
  // expr >= 0 is `right - left + constant >= 0` with positive sides.
  IndexExpr left, right;
  for (const auto &[monomial, coefficient] : c.expr.terms()) {
    if (monomial.empty())
      continue;
    (coefficient < 0 ? left : right) += term(monomial, std::abs(coefficient));
  }
  auto compare = [&](Op op, Op opposite) {
    return Expr::binary(negated ? opposite : op, value(left), value(right));
  };
  int64_t constant = c.expr.constantTerm();
  if (c.kind == Constraint::Zero) {
    (constant < 0 ? left : right) += IndexExpr(std::abs(constant));
    return compare(Op::Equal, Op::NotEqual);
  }
  bool strict = constant == -1; // left < right
  if (left.isZero() && !right.isZero()) {
    // right >= -constant
    std::swap(left, right);
    right = -constant;
    return compare(Op::GreaterEqual, Op::Less);
  }
  if (strict)
    return compare(Op::Less, Op::GreaterEqual);
  if (constant < 0)
    left -= constant;
  else
    right += constant;
  return compare(Op::LessEqual, Op::Greater);
}

Expr Names::fact(const Constraint &c, bool negated) const {
  const bool isShort = isSum(c.expr) && llvm::isInt<16>(c.expr.constantTerm());
  return (isShort ? *this : widened(c.expr)).condition(c, negated);
}

Expr Names::condition(ArrayRef<Constraint> all, bool negated) const {
  Expr result;
  for (const Constraint &c : all) {
    Expr one = condition(c, negated);
    result = negated && result ? Expr::binary(Op::Or, result, one)
                               : both(result, one);
  }
  return result;
}

} // namespace convopt::lower
