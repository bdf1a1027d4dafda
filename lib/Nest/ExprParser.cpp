//===- ExprParser.cpp - Index expressions in .nest text -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace llvm;

namespace convopt {

// Limits that keep hostile text from taking all memory; no subscript or bound
// of a real nest comes near them.
static constexpr unsigned maxDepth = 64;
static constexpr unsigned maxQuotientDepth = 6;
static constexpr size_t maxTerms = 512;

static unsigned quotientDepth(const IndexExpr &e) {
  unsigned depth = 0;
  for (const auto &[m, coefficient] : e.terms())
    for (const Atom &a : m)
      if (!a.isVar())
        depth = std::max(
            {depth, 1 + quotientDepth(a.num()), 1 + quotientDepth(a.den())});
  return depth;
}

/// False where arithmetic made \p e invalid or it grows too large.
bool ExprParser::checked(const IndexExpr &e) {
  if (!e.isValid())
    return c.fail("the expression overflows, or divides by a number that is "
                  "not positive");
  return (e.terms().size() <= maxTerms &&
          quotientDepth(e) <= maxQuotientDepth) ||
         c.fail("the expression is too large");
}

bool ExprParser::multiply(IndexExpr &a, const IndexExpr &b) {
  if (a.terms().size() * b.terms().size() > maxTerms ||
      a.degree() + b.degree() > IndexExpr::MaxDegree)
    return c.fail("the expression is too large");
  a = a * b;
  return checked(a);
}

bool ExprParser::expr(IndexExpr &to) {
  if (depth == maxDepth)
    return c.fail("the expression is nested too deeply");
  ++depth;
  const bool good = sum(to);
  --depth;
  return good;
}

bool ExprParser::sum(IndexExpr &to) {
  if (!product(to))
    return false;
  while (true) {
    bool minus = c.peek("-");
    if (!minus && !c.peek("+"))
      return true;
    c.advance(1);
    IndexExpr right;
    if (!product(right))
      return false;
    to = minus ? to - right : to + right;
    if (!checked(to))
      return false;
  }
}

bool ExprParser::product(IndexExpr &to) {
  if (!unary(to))
    return false;
  while (!c.atLineEnd()) {
    if (c.peek("/"))
      return c.fail("'/' rounds differently in C and here; write floordiv(a, "
                    "b) or ceildiv(a, b)");
    bool remainder = c.peek("%");
    if (!remainder && !c.peek("*"))
      return true;
    c.advance(1);
    IndexExpr right;
    if (!unary(right))
      return false;
    if (remainder)
      to = IndexExpr::mod(to, right);
    if (remainder ? !checked(to) : !multiply(to, right))
      return false;
  }
  return true;
}

bool ExprParser::unary(IndexExpr &to) {
  bool negative = false;
  while (c.eat("-"))
    negative = !negative;
  if (!primary(to))
    return false;
  if (negative)
    to = -to;
  return !negative || checked(to);
}

bool ExprParser::primary(IndexExpr &to) {
  if (c.eat("("))
    return expr(to) && c.expect(")");
  StringRef word = c.peekWord();
  if (word.empty()) {
    int64_t n = 0;
    if (!c.integer(n, "an expression"))
      return false;
    to = n;
    return true;
  }
  size_t start = c.position();
  c.advance(word.size());
  if ((word == "floordiv" || word == "ceildiv") && c.eat("(")) {
    IndexExpr num, den;
    if (!quotient(num, den))
      return false;
    to = IndexExpr::floorDiv(word == "ceildiv" ? num + den - 1 : num, den);
    return checked(to);
  }
  auto it = names.find(word);
  if (it != names.end()) {
    to = IndexExpr::of(it->second);
    return true;
  }
  c.setPosition(start);
  return c.fail("no loop or parameter is called '" + word + "' here");
}

/// `a, b)`
bool ExprParser::quotient(IndexExpr &num, IndexExpr &den) {
  return expr(num) && c.expect(",") && expr(den) && c.expect(")");
}

/// A ceildiv that is the whole bound stays a bound with a divisor.
bool ExprParser::bound(Bound &to) {
  size_t start = (c.skipBlanks(), c.position());
  if (c.eatWord("ceildiv") && c.eat("(")) {
    IndexExpr den;
    if (!quotient(to.expr, den))
      return false;
    to.divisor = den.asConstant().value_or(0);
    bool goesOn = c.peek("+") || c.peek("-") || c.peek("*") || c.peek("%");
    if (to.divisor > 0 && !goesOn)
      return true;
  }
  c.setPosition(start);
  to.divisor = 1;
  return expr(to.expr);
}

bool ExprParser::bounds(std::vector<Bound> &to, StringRef fold) {
  size_t start = (c.skipBlanks(), c.position());
  bool several = c.eatWord(fold) && c.eat("(");
  if (!several)
    c.setPosition(start);
  do {
    if (!bound(to.emplace_back()))
      return false;
  } while (several && c.eat(","));
  return !several || c.expect(")");
}

bool ExprParser::constraint(Constraint &to) {
  IndexExpr left, right;
  if (!expr(left))
    return false;
  static const StringRef comparisons[] = {"<=", ">=", "==", "<", ">"};
  const StringRef *op = find_if(
      comparisons, [&](StringRef candidate) { return c.eat(candidate); });
  if (op == std::end(comparisons))
    return c.fail("expected one of < <= > >= ==");
  if (!expr(right))
    return false;
  to.kind = *op == "==" ? Constraint::Zero : Constraint::NonNegative;
  to.expr = op->starts_with("<") ? right - left : left - right;
  if (op->size() == 1)
    to.expr -= 1;
  return checked(to.expr);
}

bool ExprParser::conjunction(std::vector<Constraint> &to) {
  do {
    if (!constraint(to.emplace_back()))
      return false;
  } while (c.eatWord("and"));
  return true;
}

std::optional<unsigned> ExprParser::findArray(StringRef name) const {
  for (unsigned id = 0; id != nest.arrays.size(); ++id)
    if (nest.arrays[id].name == name)
      return id;
  return std::nullopt;
}

bool ExprParser::array(unsigned &to) {
  StringRef name = c.peekWord();
  const std::optional<unsigned> array = findArray(name);
  if (!array)
    return c.fail(name.empty() ? Twine("expected an array")
                               : "no array is called '" + name + "'");
  to = *array;
  c.advance(name.size());
  return true;
}

bool ExprParser::access(Access &to, std::optional<unsigned> counted) {
  if (!array(to.array))
    return false;
  const Array &places = nest.arrays[counted.value_or(to.array)];
  const std::string &name = places.name;
  for (size_t d = 0, e = places.extents.size(); d != e; ++d) {
    if (!c.peek("["))
      return c.fail("'" + name + "' has " + Twine(e) + " dimensions");
    if (!c.expect("[") || !expr(to.subscripts.emplace_back()) || !c.expect("]"))
      return false;
  }
  // Blanks after a scalar belong to the text around it.
  size_t end = c.position();
  bool more = c.peek("[");
  c.setPosition(end);
  if (more)
    return c.fail("'" + name + "' has no more than " +
                  Twine(places.extents.size()) + " dimensions");
  return buffer(to);
}

/// ` in inputs_s` after an access to an array that is staged.
bool ExprParser::buffer(Access &a) {
  size_t end = c.position();
  if (!c.eatWord("in")) {
    c.setPosition(end);
    return true;
  }
  StringRef name = c.peekWord();
  a.buffer = findArray(name);
  if (!a.buffer)
    return c.fail(name.empty() ? Twine("expected a buffer")
                               : "no array is called '" + name + "'");
  c.advance(name.size());
  return true;
}

} // namespace convopt
