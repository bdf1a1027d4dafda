//===- CTypes.cpp - Types as C spells them --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Source/CTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

IntegerType integerType(StringRef spelling) {
  spelling.consume_front("std::");
  return StringSwitch<IntegerType>(spelling)
      .Cases({"char", "signed char", "int8_t"}, {8, false})
      .Cases({"unsigned char", "uint8_t"}, {8, true})
      .Cases({"short", "int16_t"}, {16, false})
      .Cases({"unsigned short", "uint16_t"}, {16, true})
      .Cases({"int", "signed", "signed int", "int32_t"}, {32, false})
      .Cases({"unsigned", "unsigned int", "uint32_t"}, {32, true})
      .Cases({"long", "long long", "int64_t", "ptrdiff_t"}, {64, false})
      .Cases({"unsigned long", "unsigned long long", "uint64_t", "size_t"},
             {64, true})
      .Default({});
}

bool isInteger(StringRef spelling) { return integerType(spelling).bits != 0; }

bool isFloating(StringRef spelling) {
  return is_contained({"float", "double", "long double", "half", "__half",
                       "_Float16", "__fp16", "__nv_bfloat16", "__bf16"},
                      spelling);
}

StringRef typeOfLiteral(StringRef literal) {
  if (literal == "true" || literal == "false")
    return "bool";
  if (literal.starts_with("'"))
    return "char";
  const bool isHex = literal.starts_with_insensitive("0x");
  if (literal.find_first_of(isHex ? "pP" : ".eE") != StringRef::npos)
    return literal.ends_with_insensitive("f")   ? "float"
           : literal.ends_with_insensitive("l") ? "long double"
                                                : "double";
  const StringRef digits = literal.rtrim("uUlL"),
                  suffix = literal.drop_front(digits.size());
  const bool isUnsigned = suffix.contains_insensitive("u");
  uint64_t value;
  if (digits.getAsInteger(0, value) || suffix.contains_insensitive("l") ||
      !isUInt<32>(value))
    return isUnsigned ? "unsigned long" : "long";
  return isUnsigned || !isInt<32>(value)
             ? isUnsigned || isHex ? "unsigned" : "long"
             : "int";
}

/// Narrower types than int become int.
static StringRef promoted(StringRef type) {
  const unsigned bits = integerType(type).bits;
  return isBoolean(type) || (bits && bits < 32) ? "int" : type;
}

StringRef commonType(StringRef a, StringRef b) {
  a = promoted(a);
  b = promoted(b);
  // Of two in one of these ranks, the same, or whichever is unsigned.
  auto rank = [](StringRef type) {
    const IntegerType i = integerType(type);
    return type == "long double" ? 6
           : type == "double"    ? 5
           : type == "float"     ? 4
           : isFloating(type)    ? 3
           : i.bits              ? 1 - (i.bits == 32)
           : type.empty()        ? -1
                                 : 2;
  };
  if (rank(a) != rank(b))
    return rank(a) > rank(b) ? a : b;
  return integerType(b).isUnsigned ? b : a;
}

} // namespace convopt
