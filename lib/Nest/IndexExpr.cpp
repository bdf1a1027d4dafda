//===- IndexExpr.cpp - Index arithmetic over loops and sizes --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/IndexExpr.h"
#include "convopt/Nest/Terms.h"
#include "llvm/Support/MathExtras.h"

namespace convopt {

//===----------------------------------------------------------------------===//
// Atom
//===----------------------------------------------------------------------===//

struct Atom::Quotient {
  IndexExpr num, den;
};

Atom::Atom(IndexExpr num, IndexExpr den)
    : quotient(std::make_shared<const Quotient>(
          Quotient{std::move(num), std::move(den)})) {}

const IndexExpr &Atom::num() const { return quotient->num; }
const IndexExpr &Atom::den() const { return quotient->den; }

int Atom::compare(const Atom &a, const Atom &b) {
  if (a.isVar() != b.isVar())
    return a.isVar() ? -1 : 1;
  if (a.isVar())
    return a.var < b.var ? -1 : b.var < a.var ? 1 : 0;
  if (a.quotient == b.quotient)
    return 0;
  if (int order = IndexExpr::compare(a.num(), b.num()))
    return order;
  return IndexExpr::compare(a.den(), b.den());
}

static int compareMonomials(const Monomial &a, const Monomial &b) {
  for (size_t i = 0, e = std::min(a.size(), b.size()); i != e; ++i)
    if (int order = Atom::compare(a[i], b[i]))
      return order;
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

//===----------------------------------------------------------------------===//
// Construction and arithmetic
//===----------------------------------------------------------------------===//

IndexExpr::IndexExpr(int64_t constant) { add({}, constant); }

IndexExpr IndexExpr::of(Var v) {
  IndexExpr e;
  e.add({Atom(v)}, 1);
  return e;
}

IndexExpr IndexExpr::invalid() {
  IndexExpr e;
  e.overflowed = true;
  return e;
}

void IndexExpr::add(const Monomial &m, int64_t coefficient) {
  if (overflowed || coefficient == 0)
    return;
  // The range is symmetric, so that every coefficient can be negated.
  if (coefficient == INT64_MIN) {
    *this = invalid();
    return;
  }
  auto [it, inserted] = terms_.try_emplace(m, coefficient);
  if (inserted)
    return;
  if (__builtin_add_overflow(it->second, coefficient, &it->second) ||
      it->second == INT64_MIN)
    *this = invalid();
  else if (it->second == 0)
    terms_.erase(it);
}

IndexExpr &IndexExpr::operator+=(const IndexExpr &o) {
  if (!isValid() || !o.isValid())
    return *this = invalid();
  if (&o == this)
    return *this = *this * 2;
  for (const auto &[m, c] : o.terms_)
    add(m, c);
  return *this;
}

IndexExpr &IndexExpr::operator-=(const IndexExpr &o) {
  if (!isValid() || !o.isValid())
    return *this = invalid();
  if (&o == this)
    return *this = 0;
  for (const auto &[m, c] : o.terms_)
    add(m, -c);
  return *this;
}

static Monomial multiply(const Monomial &a, const Monomial &b) {
  Monomial product;
  std::merge(a.begin(), a.end(), b.begin(), b.end(),
             std::back_inserter(product));
  return product;
}

size_t IndexExpr::degree() const {
  size_t degree = 0;
  for (const auto &[m, c] : terms_)
    degree = std::max(degree, m.size());
  return degree;
}

/// Terms that may be multiplied with one another: some milliseconds.
static constexpr size_t MaxProducts = 1 << 14;

IndexExpr operator*(const IndexExpr &a, const IndexExpr &b) {
  if (!a.isValid() || !b.isValid() ||
      a.degree() + b.degree() > IndexExpr::MaxDegree ||
      a.terms_.size() * b.terms_.size() > MaxProducts)
    return IndexExpr::invalid();
  IndexExpr product;
  for (const auto &[ma, ca] : a.terms_)
    for (const auto &[mb, cb] : b.terms_) {
      int64_t c;
      if (__builtin_mul_overflow(ca, cb, &c))
        return IndexExpr::invalid();
      product.add(multiply(ma, mb), c);
    }
  return product;
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// Divides \p num and \p den by the greatest g that divides \p den and every
/// coefficient of \p num but the constant: floor((g*a + c) / (g*b)) is
/// floor((a + floor(c / g)) / b). False where g is 1.
static bool cancelCommonFactor(IndexExpr &num, IndexExpr &den) {
  const int64_t g = std::gcd(std::gcd(commonFactor(num), commonFactor(den)),
                             den.constantTerm());
  if (g <= 1)
    return false;
  auto reduced = [&](const IndexExpr &e) {
    IndexExpr result;
    for (const auto &[m, c] : e.terms())
      result += term(m, llvm::divideFloorSigned(c, g));
    return result;
  };
  num = reduced(num);
  den = reduced(den);
  return true;
}

/// The a and b of \p e = floor(a / b) + k where b and k are constant.
static const Atom *asShiftedQuotient(const IndexExpr &e) {
  const Atom *found = nullptr;
  for (const auto &[m, c] : e.terms()) {
    if (m.empty())
      continue;
    if (found || m.size() != 1 || c != 1 || m[0].isVar() ||
        !m[0].den().isConstant())
      return nullptr;
    found = &m[0];
  }
  return found;
}

IndexExpr IndexExpr::floorDiv(const IndexExpr &num, const IndexExpr &den) {
  if (!num.isValid() || !den.isValid() ||
      (den.isConstant() && *den.asConstant() <= 0))
    return invalid();
  if (num == den)
    return 1;

  // floor((den * q + r) / den) = q + floor(r / den). Coefficients of r keep
  // their sign, so that (H - K) / 2 stays as it is; its constant is made
  // non-negative, so that (W - 1) / T + 1 and (W + T - 1) / T are equal.
  IndexExpr whole, rest = num, divisor = den;
  if (den.terms_.size() == 1 && den.terms_.begin()->second > 0) {
    const auto &[m, d] = *den.terms_.begin();
    rest = IndexExpr();
    for (const auto &[n, c] : num.terms_) {
      std::optional<Monomial> ratio = divide(n, m);
      int64_t q = !ratio      ? 0
                  : n.empty() ? llvm::divideFloorSigned(c, d)
                              : c / d;
      if (q)
        whole.add(*ratio, q);
      rest.add(n, c - q * d);
    }
  }
  if (rest.isZero())
    return whole;

  if (cancelCommonFactor(rest, divisor))
    return whole + floorDiv(rest, divisor);
  if (divisor.isConstant())
    if (const Atom *inner = asShiftedQuotient(rest))
      return whole + floorDiv(inner->num() + inner->den() * rest.constantTerm(),
                              inner->den() * divisor);
  if (!rest.isValid() || !divisor.isValid())
    return invalid();
  whole.add({Atom(rest, divisor)}, 1);
  return whole;
}

IndexExpr IndexExpr::mod(const IndexExpr &num, const IndexExpr &den) {
  return num - den * floorDiv(num, den);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool IndexExpr::isConstant() const { return asConstant().has_value(); }

std::optional<int64_t> IndexExpr::asConstant() const {
  if (!isValid())
    return std::nullopt;
  if (terms_.empty())
    return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty())
    return terms_.begin()->second;
  return std::nullopt;
}

int64_t IndexExpr::constantTerm() const {
  auto it = terms_.find({});
  return it == terms_.end() ? 0 : it->second;
}

std::optional<Var> IndexExpr::asVar() const {
  if (!isValid() || terms_.size() != 1)
    return std::nullopt;
  const auto &[m, c] = *terms_.begin();
  if (c != 1 || m.size() != 1 || !m[0].isVar())
    return std::nullopt;
  return m[0].asVar();
}

int64_t IndexExpr::coefficient(Var v) const {
  auto it = terms_.find({Atom(v)});
  return it == terms_.end() ? 0 : it->second;
}

static bool atomUses(const Atom &a, Var v) {
  return a.isVar() ? a.asVar() == v : a.num().uses(v) || a.den().uses(v);
}

std::optional<IndexExpr> IndexExpr::symbolicCoefficient(Var v) const {
  if (!isValid())
    return std::nullopt;
  IndexExpr result;
  for (const auto &[m, c] : terms_) {
    std::optional<Monomial> ratio = divide(m, {Atom(v)});
    for (const Atom &a : ratio ? *ratio : m)
      if (atomUses(a, v))
        return std::nullopt;
    if (ratio)
      result.add(*ratio, c);
  }
  return result;
}

bool IndexExpr::uses(Var v) const {
  for (const auto &[m, c] : terms_)
    for (const Atom &a : m)
      if (atomUses(a, v))
        return true;
  return false;
}

std::set<Var> IndexExpr::vars() const {
  std::set<Var> result;
  for (const auto &[m, c] : terms_)
    for (const Atom &a : m) {
      if (a.isVar()) {
        result.insert(a.asVar());
        continue;
      }
      result.merge(a.num().vars());
      result.merge(a.den().vars());
    }
  return result;
}

bool IndexExpr::usesLoops() const {
  std::set<Var> used = vars();
  return !used.empty() && used.begin()->kind == Var::Loop;
}

bool IndexExpr::hasQuotient() const {
  for (const auto &[m, c] : terms_)
    if (!m.empty() && !m.back().isVar())
      return true;
  return false;
}

bool IndexExpr::isAffine() const {
  if (!isValid())
    return false;
  for (const auto &[m, c] : terms_)
    for (const Atom &a : m) {
      bool isParam = a.isVar() && a.asVar().kind == Var::Param;
      if (m.size() > 1 && !isParam)
        return false;
      if (!a.isVar() && (!a.den().isConstant() || !a.num().isAffine()))
        return false;
    }
  return true;
}

int IndexExpr::compare(const IndexExpr &a, const IndexExpr &b) {
  if (a.overflowed != b.overflowed)
    return a.overflowed ? 1 : -1;
  auto i = a.terms_.begin(), j = b.terms_.begin();
  for (; i != a.terms_.end() && j != b.terms_.end(); ++i, ++j) {
    if (int order = compareMonomials(i->first, j->first))
      return order;
    if (i->second != j->second)
      return i->second < j->second ? -1 : 1;
  }
  return i != a.terms_.end() ? 1 : j != b.terms_.end() ? -1 : 0;
}

} // namespace convopt
