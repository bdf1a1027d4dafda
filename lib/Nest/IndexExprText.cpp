//===- IndexExprText.cpp - Index expressions as C text --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/IndexExpr.h"
#include <algorithm>
#include <cstdlib>

namespace convopt {
namespace {

/// One summand as printed, without its sign.
struct Piece {
  bool negative = false;
  bool divides = false; // prints with `/` or `%` at its top
  std::string text;
};

/// `factor * (num % den)`, which the canonical form holds as
/// `factor * num - factor * den * floor(num / den)`.
struct Remainder {
  int64_t factor;
  Atom quotient;
};

class Printer {
public:
  Printer(llvm::function_ref<std::string(Var)> name, bool floorDivCalls)
      : name(name), calls(floorDivCalls) {}

  std::string sum(IndexExpr e);

private:
  std::string operand(const IndexExpr &e, bool isDivisor);
  std::string division(const Atom &a, const char *op);
  Piece term(const Monomial &m, int64_t coefficient);
  Piece remainder(const Remainder &r);

  llvm::function_ref<std::string(Var)> name;
  bool calls;
};

} // namespace

static std::string magnitude(int64_t c) {
  return std::to_string(c < 0 ? -c : c);
}

/// The remainder whose quotient is the atom \p a of the term \p c * \p m, where
/// the other terms of \p e hold at least the rest of it.
static std::optional<Remainder> matchRemainder(const IndexExpr &e,
                                               const Monomial &m, int64_t c,
                                               const Atom &a) {
  if (a.isVar() || a.den().terms().size() != 1)
    return std::nullopt;
  const auto &[dm, d] = *a.den().terms().begin();
  Monomial expected = dm;
  expected.insert(std::upper_bound(expected.begin(), expected.end(), a), a);
  if (m != expected || c % d)
    return std::nullopt;
  int64_t factor = -(c / d);
  bool variable = false;
  for (const auto &[n, k] : a.num().terms()) {
    if (n.empty())
      continue;
    variable = true;
    auto it = e.terms().find(n);
    int64_t wanted;
    if (it == e.terms().end() || __builtin_mul_overflow(k, factor, &wanted) ||
        (it->second < 0) != (wanted < 0) ||
        std::abs(it->second) < std::abs(wanted))
      return std::nullopt;
  }
  if (!variable)
    return std::nullopt;
  return Remainder{factor, a};
}

/// Takes one remainder out of \p e, where it holds one.
static std::optional<Remainder> takeRemainder(IndexExpr &e) {
  for (const auto &[m, c] : e.terms())
    for (const Atom &a : m)
      if (std::optional<Remainder> r = matchRemainder(e, m, c, a)) {
        IndexExpr rest =
            e - IndexExpr(r->factor) * IndexExpr::mod(a.num(), a.den());
        if (!rest.isValid())
          return std::nullopt;
        e = rest;
        return r;
      }
  return std::nullopt;
}

/// \p e as an operand of `/` or `%`: variables and, on the left, products of
/// variables need no parentheses.
std::string Printer::operand(const IndexExpr &e, bool isDivisor) {
  std::string text = sum(e);
  bool bare = e.asVar() || (e.isConstant() && e.constantTerm() >= 0);
  if (!bare && !isDivisor && e.terms().size() == 1) {
    const auto &[m, c] = *e.terms().begin();
    bare = c > 0 && !e.hasQuotient();
  }
  return bare ? text : "(" + text + ")";
}

std::string Printer::division(const Atom &a, const char *op) {
  return operand(a.num(), /*isDivisor=*/false) + op +
         operand(a.den(), /*isDivisor=*/true);
}

Piece Printer::term(const Monomial &m, int64_t coefficient) {
  Piece p;
  p.negative = coefficient < 0;
  bool alone = m.size() == 1 && (coefficient == 1 || coefficient == -1);
  if (m.empty() || (coefficient != 1 && coefficient != -1))
    p.text = magnitude(coefficient);
  for (const Atom &a : m) {
    if (!p.text.empty())
      p.text += " * ";
    if (a.isVar()) {
      p.text += name(a.asVar());
    } else if (calls) {
      p.text += "floordiv(" + sum(a.num()) + ", " + sum(a.den()) + ")";
    } else {
      std::string text = division(a, " / ");
      p.text += alone ? text : "(" + text + ")";
      p.divides = alone;
    }
  }
  return p;
}

Piece Printer::remainder(const Remainder &r) {
  Piece p;
  p.negative = r.factor < 0;
  p.text = division(r.quotient, " % ");
  p.divides = r.factor == 1 || r.factor == -1;
  if (!p.divides)
    p.text = magnitude(r.factor) + " * (" + p.text + ")";
  return p;
}

std::string Printer::sum(IndexExpr e) {
  if (!e.isValid())
    return "<overflow>";
  std::vector<Piece> pieces;
  while (std::optional<Remainder> r = takeRemainder(e))
    pieces.push_back(remainder(*r));
  for (const auto &[m, c] : e.terms())
    if (!m.empty())
      pieces.push_back(term(m, c));
  std::stable_partition(pieces.begin(), pieces.end(),
                        [](const Piece &p) { return !p.negative; });
  int64_t constant = e.constantTerm();
  if (constant || pieces.empty()) {
    bool first = constant > 0 && !pieces.empty() && pieces[0].negative;
    pieces.insert(first ? pieces.begin() : pieces.end(),
                  Piece{constant < 0, false, magnitude(constant)});
  }
  std::string text;
  for (const Piece &p : pieces) {
    if (!text.empty())
      text += p.negative ? " - " : " + ";
    else if (p.negative)
      text += "-";
    // A minus binds more tightly than `%`.
    bool parenthesise = text == "-" && p.divides;
    text += parenthesise ? "(" + p.text + ")" : p.text;
  }
  return text;
}

std::string IndexExpr::str(llvm::function_ref<std::string(Var)> name,
                           bool floorDivCalls) const {
  return Printer(name, floorDivCalls).sum(*this);
}

} // namespace convopt
