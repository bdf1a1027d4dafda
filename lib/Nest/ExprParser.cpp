//===- ExprParser.cpp - Index expressions in .nest text -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprParser.h"

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

/// \p e, unless arithmetic made it invalid or it grows too large.
ExprParser::Expr ExprParser::checked(const IndexExpr &e) {
  if (!e.isValid())
    c.fail("the expression overflows, or divides by a number that is not "
           "positive");
  else if (e.terms().size() > maxTerms || quotientDepth(e) > maxQuotientDepth)
    c.fail("the expression is too large");
  else
    return e;
  return std::nullopt;
}

ExprParser::Expr ExprParser::multiplied(const IndexExpr &a,
                                        const IndexExpr &b) {
  if (a.terms().size() * b.terms().size() <= maxTerms &&
      a.degree() + b.degree() <= IndexExpr::MaxDegree)
    return checked(a * b);
  c.fail("the expression is too large");
  return std::nullopt;
}

ExprParser::Expr ExprParser::expr() {
  if (depth == maxDepth) {
    c.fail("the expression is nested too deeply");
    return std::nullopt;
  }
  ++depth;
  Expr result = sum();
  --depth;
  return result;
}

ExprParser::Expr ExprParser::sum() {
  Expr result = product();
  while (result) {
    bool minus = c.peek("-");
    if (!minus && !c.peek("+"))
      return result;
    c.advance(1);
    Expr right = product();
    if (!right)
      return std::nullopt;
    result = checked(minus ? *result - *right : *result + *right);
  }
  return result;
}

ExprParser::Expr ExprParser::product() {
  Expr result = unary();
  while (result && !c.atLineEnd()) {
    if (c.peek("/")) {
      c.fail("'/' rounds differently in C and here; write floordiv(a, b) or "
             "ceildiv(a, b)");
      return std::nullopt;
    }
    bool remainder = c.peek("%");
    if (!remainder && !c.peek("*"))
      return result;
    c.advance(1);
    Expr right = unary();
    if (!right)
      return std::nullopt;
    result = remainder ? checked(IndexExpr::mod(*result, *right))
                       : multiplied(*result, *right);
  }
  return result;
}

ExprParser::Expr ExprParser::unary() {
  bool negative = false;
  while (c.eat("-"))
    negative = !negative;
  Expr e = primary();
  return e && negative ? checked(-*e) : e;
}

ExprParser::Expr ExprParser::primary() {
  if (c.eat("(")) {
    Expr inner = expr();
    return inner && c.expect(")") ? inner : std::nullopt;
  }
  StringRef word = c.peekWord();
  if (word.empty()) {
    std::optional<int64_t> n = c.integer("an expression");
    return n ? Expr(*n) : std::nullopt;
  }
  size_t start = c.position();
  c.advance(word.size());
  if ((word == "floordiv" || word == "ceildiv") && c.eat("("))
    return call(word);
  auto it = names.find(word);
  if (it != names.end())
    return IndexExpr::of(it->second);
  c.setPosition(start);
  c.fail("no loop or parameter is called '" + word + "' here");
  return std::nullopt;
}

ExprParser::Expr ExprParser::call(StringRef function) {
  Expr num = expr();
  if (!num || !c.expect(","))
    return std::nullopt;
  Expr den = expr();
  if (!den || !c.expect(")"))
    return std::nullopt;
  if (function == "ceildiv")
    num = *num + *den - 1;
  return checked(IndexExpr::floorDiv(*num, *den));
}

/// A ceildiv that is the whole bound stays a bound with a divisor.
std::optional<Bound> ExprParser::bound() {
  size_t start = (c.skipBlanks(), c.position());
  if (c.eatWord("ceildiv") && c.eat("(")) {
    Expr num = expr();
    if (!num || !c.expect(","))
      return std::nullopt;
    Expr den = expr();
    if (!den || !c.expect(")"))
      return std::nullopt;
    std::optional<int64_t> divisor = den->asConstant();
    bool goesOn = c.peek("+") || c.peek("-") || c.peek("*") || c.peek("%");
    if (divisor && *divisor > 0 && !goesOn)
      return Bound{*num, *divisor};
  }
  c.setPosition(start);
  Expr e = expr();
  return e ? std::optional<Bound>(Bound{*e, 1}) : std::nullopt;
}

std::optional<std::vector<Bound>> ExprParser::bounds(StringRef fold) {
  size_t start = (c.skipBlanks(), c.position());
  bool several = c.eatWord(fold) && c.eat("(");
  if (!several)
    c.setPosition(start);
  std::vector<Bound> result;
  do {
    std::optional<Bound> b = bound();
    if (!b)
      return std::nullopt;
    result.push_back(std::move(*b));
  } while (several && c.eat(","));
  if (several && !c.expect(")"))
    return std::nullopt;
  return result;
}

std::optional<Constraint> ExprParser::constraint() {
  Expr left = expr();
  if (!left)
    return std::nullopt;
  static const StringRef comparisons[] = {"<=", ">=", "==", "<", ">"};
  StringRef op;
  for (StringRef candidate : comparisons)
    if (op.empty() && c.eat(candidate))
      op = candidate;
  if (op.empty()) {
    c.fail("expected one of < <= > >= ==");
    return std::nullopt;
  }
  Expr right = expr();
  if (!right)
    return std::nullopt;
  IndexExpr difference = op.starts_with("<") ? *right - *left : *left - *right;
  if (op == "<" || op == ">")
    difference -= 1;
  Expr e = checked(difference);
  if (!e)
    return std::nullopt;
  return Constraint{op == "==" ? Constraint::Zero : Constraint::NonNegative,
                    *e};
}

std::optional<std::vector<Constraint>> ExprParser::conjunction() {
  std::vector<Constraint> result;
  do {
    std::optional<Constraint> one = constraint();
    if (!one)
      return std::nullopt;
    result.push_back(std::move(*one));
  } while (c.eatWord("and"));
  return result;
}

std::optional<unsigned> ExprParser::findArray(StringRef name) const {
  for (unsigned id = 0; id != nest.arrays.size(); ++id)
    if (nest.arrays[id].name == name)
      return id;
  return std::nullopt;
}

std::optional<unsigned> ExprParser::array() {
  StringRef name = c.peekWord();
  std::optional<unsigned> array = findArray(name);
  if (array)
    c.advance(name.size());
  else
    c.fail(name.empty() ? Twine("expected an array")
                        : "no array is called '" + name + "'");
  return array;
}

std::optional<Access> ExprParser::access(std::optional<unsigned> counted) {
  std::optional<unsigned> array = this->array();
  if (!array)
    return std::nullopt;
  const Array &places = nest.arrays[counted.value_or(*array)];
  const std::string &name = places.name;
  Access result{*array, {}};
  for (size_t d = 0, e = places.extents.size(); d != e; ++d) {
    Expr subscript;
    if (!c.peek("["))
      c.fail("'" + name + "' has " + Twine(e) + " dimensions");
    else if (c.expect("[") && (subscript = expr()) && c.expect("]")) {
      result.subscripts.push_back(*subscript);
      continue;
    }
    return std::nullopt;
  }
  // Blanks after a scalar belong to the text around it.
  size_t end = c.position();
  bool more = c.peek("[");
  c.setPosition(end);
  if (more) {
    c.fail("'" + name + "' has no more than " + Twine(places.extents.size()) +
           " dimensions");
    return std::nullopt;
  }
  return buffered(std::move(result));
}

/// ` in inputs_s` after an access to an array that is staged.
std::optional<Access> ExprParser::buffered(Access a) {
  size_t end = c.position();
  if (!c.eatWord("in")) {
    c.setPosition(end);
    return a;
  }
  StringRef name = c.peekWord();
  a.buffer = findArray(name);
  if (!a.buffer) {
    c.fail(name.empty() ? Twine("expected a buffer")
                        : "no array is called '" + name + "'");
    return std::nullopt;
  }
  c.advance(name.size());
  return a;
}

} // namespace convopt
