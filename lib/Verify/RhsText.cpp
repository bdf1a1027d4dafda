//===- RhsText.cpp - A right-hand side as the reference needs it ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Verify/RhsText.h"
#include "convopt/Nest/MathFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <vector>

using namespace llvm;

namespace convopt::verify {

namespace {
struct Token {
  enum Kind { Identifier, Number, Operand, Space, Other } kind;
  StringRef text;
};
} // namespace

static bool isNamePart(char c) { return isAlnum(c) || c == '_'; }

/// How long the number, `1.5e-3f` say, at the start of \p text is.
static size_t numberLength(StringRef text) {
  const bool hex = text.starts_with_insensitive("0x");
  size_t n = 0;
  while (n < text.size()) {
    const char c = text[n];
    const char before = n ? toLower(text[n - 1]) : ' ';
    const bool sign = (c == '+' || c == '-') && before == (hex ? 'p' : 'e');
    if (!isNamePart(c) && c != '.' && !sign)
      break;
    ++n;
  }
  return n;
}

/// The next token; \p text is not empty.
static Token next(StringRef text) {
  const char c = text[0];
  if (c == '$' && text.size() > 1 && isDigit(text[1])) {
    const size_t n = text.drop_front().find_if_not(isDigit);
    return {Token::Operand,
            text.take_front(n == StringRef::npos ? text.size() : n + 1)};
  }
  if (text.starts_with("$$"))
    return {Token::Other, text.take_front(2)};
  if (isDigit(c) || (c == '.' && text.size() > 1 && isDigit(text[1])))
    return {Token::Number, text.take_front(numberLength(text))};
  if (isNamePart(c))
    return {Token::Identifier, text.take_while(isNamePart)};
  if (isSpace(c))
    return {Token::Space, text.take_front(1)};
  if (text.starts_with("->") || text.starts_with("--"))
    return {Token::Other, text.take_front(2)};
  return {Token::Other, text.take_front(1)};
}

static std::vector<Token> tokens(StringRef text) {
  std::vector<Token> result;
  while (!text.empty()) {
    result.push_back(next(text));
    text = text.drop_front(result.back().text.size());
  }
  return result;
}

static bool isFloatLiteral(StringRef number) {
  return !number.starts_with_insensitive("0x") &&
         number.find_first_of(".eE") != StringRef::npos;
}

static StringRef wideName(StringRef name) {
  // Whose operators are ambiguous with a double.
  if (is_contained({"__half", "__nv_bfloat16"}, name))
    return "double";
  return ofDoubles(name);
}

static std::string print(StringRef text,
                         function_ref<std::string(size_t)> operand,
                         function_ref<std::string(const Token &)> change) {
  std::string result;
  for (const Token &t : tokens(text)) {
    size_t index;
    if (t.kind == Token::Operand &&
        !t.text.drop_front().getAsInteger(10, index))
      result += operand(index);
    else if (t.text == "$$")
      result += "$";
    else if (t.kind == Token::Number && isFloatLiteral(t.text))
      result += t.text.ends_with_insensitive("f")
                    ? "double(" + t.text.str() + ")"
                    : t.text.str();
    else
      result += change(t);
  }
  return result;
}

std::string wideText(StringRef text,
                     function_ref<std::string(size_t)> operand) {
  return print(text, operand, [](const Token &t) {
    return (t.kind == Token::Identifier ? wideName(t.text) : t.text).str();
  });
}

std::string magnitudeText(StringRef text,
                          function_ref<std::string(size_t)> operand,
                          ArrayRef<std::string> names) {
  const bool keepsSigns = needsIntegers(text);
  return print(text, operand, [&](const Token &t) -> std::string {
    if (t.text == "-" && !keepsSigns)
      return "+";
    if (t.kind != Token::Identifier)
      return t.text.str();
    if (is_contained(names, t.text))
      return "cvm_" + t.text.str();
    StringRef name = wideName(t.text);
    return StringSwitch<StringRef>(name)
        .Case("fmin", "fmax")
        .Case("min", "max")
        .Default(name)
        .str();
  });
}

/// Whether token \p k of \p all is doubled, as in `&&` or `<<`.
static bool isDoubled(ArrayRef<Token> all, size_t k) {
  return (k > 0 && all[k - 1].text == all[k].text) ||
         (k + 1 < all.size() && all[k + 1].text == all[k].text);
}

bool hasShift(StringRef text) {
  const std::vector<Token> all = tokens(text);
  return any_of(seq<size_t>(0, all.size()), [&](size_t k) {
    return (all[k].text == "<" || all[k].text == ">") && isDoubled(all, k);
  });
}

bool isPartial(StringRef text) {
  return hasShift(text) || text.find_first_of("/%") != StringRef::npos;
}

std::set<size_t> partialOperands(StringRef text) {
  const bool all = hasShift(text);
  std::set<size_t> result;
  // A divisor ends with the next sum or comparison outside of its parentheses.
  std::optional<int> divisor;
  int depth = 0;
  for (const Token &t : tokens(text)) {
    size_t index;
    if (t.text == "/" || t.text == "%")
      divisor = divisor ? std::min(*divisor, depth) : depth;
    else if (t.text == "(")
      ++depth;
    else if (t.text == ")")
      --depth;
    else if (divisor == depth && t.kind == Token::Other && t.text != "*")
      divisor.reset();
    if (divisor && depth < *divisor)
      divisor.reset();
    if ((all || divisor) && t.kind == Token::Operand &&
        !t.text.drop_front().getAsInteger(10, index))
      result.insert(index);
  }
  return result;
}

bool needsIntegers(StringRef text) {
  const std::vector<Token> all = tokens(text);
  return hasShift(text) || any_of(seq<size_t>(0, all.size()), [&](size_t k) {
           return is_contained({"%", "^", "~", "["}, all[k].text) ||
                  ((all[k].text == "&" || all[k].text == "|") &&
                   !isDoubled(all, k));
         });
}

bool isExactOnIntegers(StringRef text) {
  return all_of(tokens(text), [](const Token &t) {
    switch (t.kind) {
    case Token::Operand:
    case Token::Space:
      return true;
    case Token::Number: {
      if (!isFloatLiteral(t.text))
        return true;
      // A whole number: nothing but zeros after the point.
      StringRef digits = t.text.rtrim("fFlL");
      return digits.find_first_of("eE") == StringRef::npos &&
             digits.split('.').second.trim('0').empty();
    }
    case Token::Identifier:
      return is_contained({"float", "double", "int", "static_cast", "fmaf",
                           "fma", "fmaxf", "fmax", "fminf", "fmin", "max",
                           "min", "std", "__half", "__nv_bfloat16"},
                          t.text);
    case Token::Other:
      return StringRef("+-*()<>:,").contains(t.text);
    }
    return false;
  });
}

/// Whether `half` is a type at \p i, which a source may also call a variable.
static bool isConversion(ArrayRef<Token> all, size_t i) {
  auto at = [&](size_t k) {
    return k < all.size() ? all[k].text : StringRef();
  };
  const bool isCast =
      i && at(i - 1) == "(" && at(i + 1) == ")" && i + 2 < all.size() &&
      (at(i + 2) == "(" || all[i + 2].kind == Token::Identifier ||
       all[i + 2].kind == Token::Operand || all[i + 2].kind == Token::Number);
  return isCast || at(i + 1) == "(" || at(i + 1) == ">";
}

std::vector<StringRef> floatingTypes(StringRef text) {
  std::vector<StringRef> types;
  const std::vector<Token> all = tokens(text);
  for (auto [i, t] : enumerate(all))
    if (t.text == "half"
            ? isConversion(all, i)
            : is_contained({"float", "double", "__half", "_Float16", "__fp16",
                            "__bf16", "__nv_bfloat16"},
                           t.text))
      types.push_back(t.text);
  return types;
}

bool hasCallOrChoice(StringRef text) {
  const std::vector<Token> all = tokens(text);
  for (size_t i = 0; i != all.size(); ++i)
    if (all[i].text == "?" || (all[i].kind == Token::Identifier &&
                               i + 1 != all.size() && all[i + 1].text == "("))
      return true;
  return false;
}

} // namespace convopt::verify
