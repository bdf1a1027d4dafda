//===- Values.cpp - What elements hold when code is interpreted -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

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

/// What the literal \p text counts.
static uint64_t valueOf(StringRef text) {
  const double value = std::strtod(text.str().c_str(), nullptr);
  if (value == std::floor(value) && std::abs(value) < 0x1p53)
    return uint64_t(int64_t(value));
  return scramble(bit_cast<uint64_t>(value));
}

bool TextValue::addSteps(const CExpr &e) {
  auto push = [&](Step s) {
    steps.push_back(s);
    return true;
  };
  // Of characters and truth values nothing is computed.
  if (e.kind == CExpr::Literal)
    return (isDigit(e.token[0]) || e.token[0] == '.') &&
           push({Step::Number, valueOf(e.token)});
  if (e.kind == CExpr::Operand)
    return push({Step::Operand, e.hole()});
  if (e.isUnary({"-"}))
    return push({Step::Number, 0}) && addSteps(e.parts[0]) &&
           push({Step::Sub, 0});
  return e.isBinary({"+", "-", "*"}) && addSteps(e.parts[0]) &&
         addSteps(e.parts[1]) &&
         push({e.token == "+"   ? Step::Add
               : e.token == "-" ? Step::Sub
                                : Step::Mul,
               0});
}

TextValue::TextValue(StringRef text, bool isAlgebraic) {
  const CExpr e = parseCExpr(text.trim());
  e.walk([&](const CExpr &part) {
    if (part.kind == CExpr::Operand)
      holes.push_back(part.hole());
  });
  const CExpr &number = e.isUnary({"-"}) ? e.parts[0] : e;
  // `T(0)`: the zero of another type.
  const bool isZero =
      (e.kind == CExpr::Call || e.kind == CExpr::Cast) && e.parts.size() == 1 &&
      e.parts[0].kind == CExpr::Literal && valueOf(e.parts[0].token) == 0;
  if (number.kind == CExpr::Literal || isZero) {
    kind = Constant;
    constant = isZero ? 0 : valueOf(number.token);
    constant = &number == &e ? constant : -constant;
  } else if (e.kind == CExpr::Operand) {
    kind = Sole;
  } else if (isAlgebraic && addSteps(e)) {
    kind = Algebra;
  } else {
    kind = Opaque;
    constant = xxh3_64bits(text.trim());
  }
}

} // namespace convopt::program
