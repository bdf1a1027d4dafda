//===- Reassociation.cpp - What the order of a sum can change -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reassociation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

namespace {

/// An integer type of C as CUDA has it; 0 bits: some other type.
struct IntegerType {
  unsigned bits = 0;
  bool isUnsigned = false;
};

/// What the words of a right-hand side are besides its operands.
struct Words {
  bool areIntegers = true; // integers, or of the sum's own type
  bool areNarrow = true;   // and none of more than 32 bits
};

} // namespace

static IntegerType integerType(StringRef spelling) {
  static constexpr struct {
    StringLiteral spelling;
    IntegerType type;
  } known[] = {
      {"char", {8, false}},          {"signed char", {8, false}},
      {"int8_t", {8, false}},        {"unsigned char", {8, true}},
      {"uint8_t", {8, true}},        {"short", {16, false}},
      {"int16_t", {16, false}},      {"unsigned short", {16, true}},
      {"uint16_t", {16, true}},      {"int", {32, false}},
      {"int32_t", {32, false}},      {"unsigned", {32, true}},
      {"unsigned int", {32, true}},  {"uint32_t", {32, true}},
      {"long", {64, false}},         {"long long", {64, false}},
      {"int64_t", {64, false}},      {"ptrdiff_t", {64, false}},
      {"unsigned long", {64, true}}, {"unsigned long long", {64, true}},
      {"uint64_t", {64, true}},      {"size_t", {64, true}}};
  const auto *found =
      find_if(known, [&](const auto &one) { return one.spelling == spelling; });
  return found == std::end(known) ? IntegerType() : found->type;
}

bool isInteger(StringRef type) { return integerType(type).bits != 0; }

bool isFloating(StringRef spelling) {
  return is_contained({"float", "double", "long double", "half", "__half",
                       "_Float16", "__nv_bfloat16", "__bf16"},
                      spelling);
}

/// The type that a word of a right-hand side is, or that it has.
static StringRef typeOf(const Nest &nest, StringRef word) {
  for (const Argument &a : nest.function.arguments)
    if (a.role == Argument::ScalarArg && a.name == word) {
      StringRef type = StringRef(a.type).rtrim("@ ");
      type.consume_front("const ");
      return type;
    }
  return word;
}

/// Reads the literals, types and names of \p s, whose sum is of type \p own.
static Words wordsOf(const Nest &nest, const Statement &s, StringRef own) {
  auto isPart = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
  Words words;
  for (StringRef text = s.text; !text.empty();) {
    const bool isOperand = text.starts_with("$");
    StringRef word = text.drop_front(isOperand).take_while(isPart);
    text = text.drop_front(std::max<size_t>(1, isOperand + word.size()));
    if (isOperand || word.empty())
      continue;
    uint64_t value;
    if (!word.rtrim("uU").getAsInteger(0, value)) {
      words.areNarrow = words.areNarrow && isInt<32>(value);
      continue;
    }
    StringRef type = typeOf(nest, word);
    const unsigned bits = type == "signed" ? 32 : integerType(type).bits;
    words.areIntegers = words.areIntegers && (bits || type == own);
    words.areNarrow = words.areNarrow && bits <= 32;
  }
  return words;
}

/// Of integers in a known type.
static Reordering ofIntegers(const Nest &nest, const Statement &s,
                             StringRef own) {
  const IntegerType sum = integerType(own);
  Words words = wordsOf(nest, s, own);
  bool areSame = true, areNarrow = words.areNarrow;
  for (const Operand &o : s.operands) {
    StringRef spelling =
        o.kind == Operand::Index
            ? "int"
            : StringRef(nest.arrays[o.access.array].elementType);
    IntegerType type = integerType(spelling);
    if (!type.bits)
      return Reordering::Changed;
    areSame =
        areSame && type.bits == sum.bits && type.isUnsigned == sum.isUnsigned;
    areNarrow = areNarrow && type.bits <= 32;
  }
  if (!words.areIntegers)
    return Reordering::Changed;
  if (s.op == Statement::Op::Max || s.op == Statement::Op::Min)
    return areSame && words.areNarrow ? Reordering::Exact : Reordering::Changed;
  // Arithmetic in the sum's own type, which wraps, rather than in int.
  bool wraps =
      sum.isUnsigned && (sum.bits == 64 || (sum.bits == 32 && areNarrow));
  return wraps ? Reordering::Exact : Reordering::Licensed;
}

Reordering reordering(const Nest &nest, const Statement &s) {
  StringRef type = nest.arrays[s.target.array].elementType;
  if (isFloating(type))
    return Reordering::Licensed;
  if (integerType(type).bits)
    return ofIntegers(nest, s, type);
  if (type == "bool" || type == "_Bool")
    return Reordering::Changed;
  // A name for some type, that of all terms: whichever it is, no term is
  // converted to it.
  bool isOwn = all_of(s.operands, [&](const Operand &o) {
    return o.kind == Operand::Read &&
           nest.arrays[o.access.array].elementType == type;
  });
  return isOwn && wordsOf(nest, s, type).areIntegers ? Reordering::Licensed
                                                     : Reordering::Changed;
}

bool isAllowed(Reordering r, const LegalityOptions &options) {
  return r == Reordering::Exact ||
         (r == Reordering::Licensed && options.associativeMath);
}

} // namespace convopt
