//===- Lexemes.h - The words of C source text -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lexemes of a statement's right-hand side. Printer, parser and the
/// well-formedness check agree through these on which words are operands.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SOURCE_LEXEMES_H
#define CONVOPT_SOURCE_LEXEMES_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace convopt {

struct Lexeme {
  enum Kind : uint8_t {
    Word,       // identifier or keyword
    Number,     // preprocessing number, so that the `f` of 0.0f is no word
    Literal,    // string or character literal with its quotes
    Unfinished, // the same without its closing quote
    Hole,       // `$3`
    Dollar,     // `$$`
    Other,      // any other single character
  } kind;
  llvm::StringRef text;
  bool isMember = false; // a word after `.` or `->`

  /// The operand that a hole stands for.
  unsigned hole() const;
};

/// The first lexeme of \p text, which is not empty. `isMember` is left false.
Lexeme firstLexeme(llvm::StringRef text);

/// True where a word that comes after \p before names a member.
bool endsInMemberAccess(llvm::StringRef before);

std::vector<Lexeme> lexemes(llvm::StringRef text);

bool isIdentifier(llvm::StringRef s);

/// Whether \p word means something else than a name in C++.
bool isKeyword(llvm::StringRef word);

/// \p text with `operand(k)` for each `$k`, and \p dollar for `$$`.
std::string fillHoles(llvm::StringRef text,
                      llvm::function_ref<std::string(unsigned)> operand,
                      llvm::StringRef dollar = "$");

/// Why \p text cannot stand on one line of a .nest file: it is empty, has
/// space at an end, a control character, a comment, an unfinished literal, or
/// a character that C does not use and the format does. Empty where it can.
std::string whyUnprintable(llvm::StringRef text);

/// Why the holes of \p text are not `$0`, `$1`, ... in this order, one for each
/// of \p operands, and apart from words, so that they can be read back. Empty
/// where they are.
std::string whyHolesAreWrong(llvm::StringRef text, size_t operands);

/// Whether \p text, one that parseCExpr keeps as it is, can be an expression of
/// C++: its brackets match, operands and operators take turns, and nothing
/// assigns or is a statement.
bool mayBeExpression(llvm::StringRef text);

} // namespace convopt

#endif // CONVOPT_SOURCE_LEXEMES_H
