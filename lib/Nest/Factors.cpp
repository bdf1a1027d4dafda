//===- Factors.cpp - What a right-hand side multiplies --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Factors.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

static bool isBuiltinType(StringRef word) {
  return isInteger(word) || isFloating(word);
}

namespace {

/// Reads `a * (b + c) * (float)d`. Each part gives the operands that it is a
/// product with, or none where it is no such text.
class FactorParser {
public:
  using Factors = std::optional<std::vector<unsigned>>;

  FactorParser(const Nest &nest, const Statement &s)
      : nest(nest), storage(lexemes(s.text)) {
    erase_if(storage, [](const Lexeme &l) { return l.text.trim().empty(); });
    rest = storage;
  }

  Factors run() {
    Factors all = sum();
    return rest.empty() ? all : std::nullopt;
  }

private:
  bool isNext(StringRef text, size_t ahead = 0) const {
    return ahead < rest.size() && rest[ahead].text == text;
  }
  bool take(StringRef text) {
    bool found = isNext(text);
    if (found)
      rest = rest.drop_front();
    return found;
  }

  bool isType(const Lexeme &l) const {
    return l.kind == Lexeme::Word &&
           (isBuiltinType(l.text) ||
            is_contained(nest.function.typeParams, l.text) ||
            any_of(nest.arrays,
                   [&](const Array &a) { return a.elementType == l.text; }));
  }
  /// The number of words of a type that begins \p ahead.
  size_t typeWords(size_t ahead) const {
    size_t words = 0;
    while (ahead + words < rest.size() && isType(rest[ahead + words]))
      ++words;
    return words;
  }

  Factors sum() {
    Factors all = product();
    while (all && (isNext("+") || isNext("-"))) {
      rest = rest.drop_front();
      // A sum is zero for no operand alone.
      all = product() ? Factors(std::vector<unsigned>()) : std::nullopt;
    }
    return all;
  }

  Factors product() {
    Factors all = unary();
    while (all && take("*")) {
      Factors more = unary();
      if (!more)
        return std::nullopt;
      append_range(*all, *more);
    }
    return all;
  }

  Factors unary() {
    if (take("-") || take("+"))
      return unary();
    size_t words = isNext("(") ? typeWords(1) : 0;
    if (words && isNext(")", words + 1)) {
      rest = rest.drop_front(words + 2);
      return unary();
    }
    return atom();
  }

  Factors atom() {
    if (rest.empty())
      return std::nullopt;
    if (rest[0].text == "static_cast" && isNext("<", 1))
      if (size_t words = typeWords(2); words && isNext(">", words + 2))
        rest = rest.drop_front(words + 3);
    if (typeWords(0) == 1 && isNext("(", 1))
      rest = rest.drop_front();
    if (take("(")) {
      Factors inner = sum();
      return inner && take(")") ? inner : std::nullopt;
    }
    Lexeme l = rest.empty() ? Lexeme{Lexeme::Other, ""} : rest[0];
    rest = rest.drop_front(!rest.empty());
    if (l.kind == Lexeme::Hole)
      return std::vector<unsigned>{l.hole()};
    bool isScalar = any_of(nest.function.arguments, [&](const Argument &a) {
      return a.role == Argument::ScalarArg && a.name == l.text;
    });
    if (l.kind == Lexeme::Number || isScalar)
      return std::vector<unsigned>();
    return std::nullopt;
  }

  const Nest &nest;
  std::vector<Lexeme> storage;
  ArrayRef<Lexeme> rest;
};

} // namespace

std::vector<unsigned> factorsOf(const Nest &nest, const Statement &s) {
  return FactorParser(nest, s).run().value_or(std::vector<unsigned>());
}

std::string zeroOf(StringRef type) {
  if (type == "float")
    return "0.0f";
  if (type == "double")
    return "0.0";
  return isInteger(type.split(' ').first) ? "0" : type.str() + "(0)";
}

} // namespace convopt
