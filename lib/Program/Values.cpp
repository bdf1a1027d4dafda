//===- Values.cpp - What elements hold when code is interpreted -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Program/Values.h"
#include "convopt/Program/Expr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <optional>

using namespace llvm;

namespace convopt::program {

uint64_t initialValue(uint64_t data, unsigned array,
                      ArrayRef<int64_t> subscripts) {
  uint64_t value = scramble(data * 31 + array);
  for (int64_t i : subscripts)
    value = scramble(value + uint64_t(i));
  return value;
}

uint64_t updated(Assignment::Update update, uint64_t old, uint64_t value,
                 bool isAlgebraic) {
  using Update = Assignment::Update;
  if (update == Update::None)
    return value;
  if (!isAlgebraic)
    return scramble(old * 3 + unsigned(update)) + value;
  switch (update) {
  case Update::Sub:
    return old - value;
  case Update::Mul:
    return old * value;
  case Update::Max:
    return std::max(old, value);
  case Update::Min:
    return std::min(old, value);
  case Update::Xor:
    return old ^ value;
  default:
    return old + value;
  }
}

/// Takes a number as C writes one off the front of \p text.
static std::optional<uint64_t> takeNumber(StringRef &text) {
  StringRef digits =
      text.take_while([](char c) { return isAlnum(c) || c == '.'; });
  if (digits.empty() || !(isDigit(digits[0]) || digits[0] == '.'))
    return std::nullopt;
  text = text.drop_front(digits.size());
  // An exponent may have a sign.
  std::string all = digits.str();
  if ((digits.back() == 'e' || digits.back() == 'E') &&
      !digits.starts_with("0x") &&
      (text.starts_with("+") || text.starts_with("-"))) {
    size_t length = 1 + text.drop_front().take_while(isAlnum).size();
    all += text.take_front(length);
    text = text.drop_front(length);
  }
  double value = std::strtod(all.c_str(), nullptr);
  if (value == std::floor(value) && std::abs(value) < 0x1p53)
    return uint64_t(int64_t(value));
  uint64_t bits;
  static_assert(sizeof bits == sizeof value);
  memcpy(&bits, &value, sizeof bits);
  return scramble(bits);
}

/// Sums, differences and products of operands, numbers and parentheses, `+` and
/// `-` binding less tightly, to steps of a stack machine.
class AlgebraParser {
public:
  AlgebraParser(StringRef text, TextValue &to) : text(text), to(to) {}

  bool parse() { return sum() && text.trim().empty(); }

private:
  using Step = TextValue::Step;

  bool take(char c) {
    text = text.ltrim();
    return text.consume_front(StringRef(&c, 1));
  }
  bool push(Step s) {
    to.steps.push_back(s);
    return true;
  }
  bool sum() {
    if (!product())
      return false;
    for (;;) {
      bool isAdd = take('+');
      if (!isAdd && !take('-'))
        return true;
      if (!product() || !push({isAdd ? Step::Add : Step::Sub, 0}))
        return false;
    }
  }
  bool product() {
    if (!factor())
      return false;
    while (take('*'))
      if (!factor() || !push({Step::Mul, 0}))
        return false;
    return true;
  }
  bool factor() {
    if (take('('))
      return sum() && take(')');
    if (take('-'))
      return push({Step::Number, 0}) && factor() && push({Step::Sub, 0});
    if (take('$')) {
      unsigned hole = 0;
      return !text.consumeInteger(10, hole) && push({Step::Operand, hole});
    }
    text = text.ltrim();
    std::optional<uint64_t> number = takeNumber(text);
    return number && push({Step::Number, *number});
  }

  StringRef text;
  TextValue &to;
};

TextValue::TextValue(StringRef text, bool isAlgebraic) {
  text = text.trim();
  fillHoles(text, [&](unsigned hole) {
    holes.push_back(hole);
    return std::string();
  });
  StringRef number = text;
  // `T(0)`: the zero of another type.
  StringRef name =
      text.take_while([](char c) { return isAlnum(c) || c == '_'; });
  if (!name.empty() && !isDigit(name[0]) && text.substr(name.size()) == "(0)")
    number = "0";
  const bool isNegative = number.consume_front("-");
  std::optional<uint64_t> value = takeNumber(number);
  if (value && number.empty()) {
    kind = Constant;
    constant = isNegative ? -*value : *value;
  } else if (holes.size() == 1 &&
             text.drop_front().find_if_not(isDigit) == StringRef::npos) {
    kind = Sole;
  } else if (isAlgebraic && AlgebraParser(text, *this).parse()) {
    kind = Algebra;
  } else {
    kind = Opaque;
    constant = xxh3_64bits(text);
  }
}

} // namespace convopt::program
