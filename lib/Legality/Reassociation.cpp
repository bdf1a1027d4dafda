//===- Reassociation.cpp - What the order of a sum can change -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/Reassociation.h"
#include "convopt/Nest/Arithmetic.h"

using namespace llvm;

namespace convopt {

namespace {

/// What the words of a right-hand side are besides its operands.
struct Words {
  bool areIntegers = true; // integers, or of the sum's own type
  bool areNarrow = true;   // and none of more than 32 bits
};

} // namespace

/// Reads the literals, types and names of \p s, whose sum is of type \p own.
static Words wordsOf(const Nest &nest, const Statement &s, StringRef own) {
  Words words;
  for (StringRef type : typesOfWords(nest, s)) {
    const unsigned bits = integerType(type).bits;
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
    IntegerType type = integerType(typeOf(nest, o));
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

std::string licenseRemedy(const Nest &nest, unsigned array) {
  return "-fassociative-math allows the order of the operations into '" +
         nest.arrays[array].name + "' to change";
}

} // namespace convopt
