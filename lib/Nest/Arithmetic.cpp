//===- Arithmetic.cpp - What right-hand sides compute in ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Arithmetic.h"
#include "SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

IntegerType integerType(StringRef spelling) {
  static constexpr struct {
    StringLiteral spelling;
    IntegerType type;
  } known[] = {{"char", {8, false}},
               {"signed char", {8, false}},
               {"int8_t", {8, false}},
               {"unsigned char", {8, true}},
               {"uint8_t", {8, true}},
               {"short", {16, false}},
               {"int16_t", {16, false}},
               {"unsigned short", {16, true}},
               {"uint16_t", {16, true}},
               {"int", {32, false}},
               {"signed", {32, false}},
               {"int32_t", {32, false}},
               {"unsigned", {32, true}},
               {"unsigned int", {32, true}},
               {"uint32_t", {32, true}},
               {"long", {64, false}},
               {"long long", {64, false}},
               {"int64_t", {64, false}},
               {"ptrdiff_t", {64, false}},
               {"unsigned long", {64, true}},
               {"unsigned long long", {64, true}},
               {"uint64_t", {64, true}},
               {"size_t", {64, true}}};
  const auto *found =
      find_if(known, [&](const auto &one) { return one.spelling == spelling; });
  return found == std::end(known) ? IntegerType() : found->type;
}

bool isInteger(StringRef spelling) { return integerType(spelling).bits != 0; }

bool isFloating(StringRef spelling) {
  return is_contained({"float", "double", "long double", "half", "__half",
                       "_Float16", "__nv_bfloat16", "__bf16"},
                      spelling);
}

static StringRef typeOfNumber(StringRef text) {
  uint64_t value;
  if (text.rtrim("uU").getAsInteger(0, value))
    return "double";
  return isInt<32>(value) ? "int" : "long long";
}

/// The type that \p word is, or that the argument of that name has.
static StringRef typeOfWord(const Nest &nest, StringRef word) {
  for (const Argument &a : nest.function.arguments)
    if (a.role == Argument::ScalarArg && a.name == word) {
      StringRef type = StringRef(a.type).rtrim("@ ");
      type.consume_front("const ");
      return type;
    }
  return word;
}

std::vector<StringRef> typesOfWords(const Nest &nest, const Statement &s) {
  std::vector<StringRef> types;
  for (const Lexeme &l : lexemes(s.text))
    if (l.kind == Lexeme::Number)
      types.push_back(typeOfNumber(l.text));
    else if (l.kind == Lexeme::Word)
      types.push_back(typeOfWord(nest, l.text));
  return types;
}

StringRef typeOf(const Nest &nest, const Operand &o) {
  return o.kind == Operand::Index
             ? StringRef("int")
             : StringRef(nest.arrays[o.access.array].elementType);
}

bool isTotal(const Nest &nest, const Statement &s) {
  const StringRef text = s.text;
  auto isSigned = [&](StringRef type) {
    return type == "bool" || type == "_Bool" ||
           is_contained(nest.function.signedParams, type) ||
           integerType(type).isComputedSigned();
  };
  std::vector<StringRef> types = typesOfWords(nest, s);
  for (const Operand &o : s.operands) {
    types.push_back(typeOf(nest, o));
    if (o.kind == Operand::Read && !isFloating(types.back()) &&
        text.find_first_of("/%<>") != StringRef::npos)
      return false;
  }
  const bool isSum = is_contained(
      {Statement::Op::Add, Statement::Op::Sub, Statement::Op::Mul}, s.op);
  if (isSum && isSigned(nest.arrays[s.target.array].elementType))
    return false;
  if (text.find_first_of("+-*") == StringRef::npos ||
      none_of(types, isSigned))
    return true;
  // One alone is converted to what stands beside it.
  return !text.contains('-') && count_if(types, [&](StringRef type) {
                                  return isSigned(type) || isInteger(type);
                                }) == 1;
}

} // namespace convopt
