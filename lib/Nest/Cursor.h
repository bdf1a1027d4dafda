//===- Cursor.h - A place in .nest text -------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reading of words, numbers and strings. A reader that does not find what it
/// wants records the first failure of the whole parse, and returns false; its
/// caller returns too. What is read goes where the reader is told to leave it.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_NEST_CURSOR_H
#define CONVOPT_LIB_NEST_CURSOR_H

#include "convopt/Nest/Nest.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace convopt {

class Cursor {
public:
  explicit Cursor(llvm::StringRef text) : all(text) {}

  /// Records \p message at the current place, unless one came before it.
  /// Always false, so that a caller can return it.
  bool fail(const llvm::Twine &message);
  bool failed() const { return !failure.empty(); }
  /// The failure as a Refusal of rule "syntax".
  llvm::Error takeError() const;

  /// Skips blanks, line ends and comments, to what stands next in the file.
  void skipLines();
  bool atEnd() const { return at == all.size(); }
  /// True at a line end or a comment, after blanks.
  bool atLineEnd();

  /// What stands next after blanks, on this line.
  llvm::StringRef peekWord();
  bool peek(llvm::StringRef punctuation);
  bool eat(llvm::StringRef punctuation);
  bool eatWord(llvm::StringRef word);
  bool expect(llvm::StringRef punctuation);
  bool expectWord(llvm::StringRef word);

  bool name(std::string &to, llvm::StringRef what);
  bool integer(int64_t &to, llvm::StringRef what);
  bool number(unsigned &to, llvm::StringRef what);
  bool string(std::string &to, llvm::StringRef what);
  bool nameOrString(std::string &to, llvm::StringRef what);
  /// `@1:2-3:4` or nothing, then the end of the line. Without it, the place is
  /// that of the line in the text.
  bool endLine(SourceRange &to);

  /// The rest of the line with its comment, for verbatim text.
  llvm::StringRef restOfLine() const;
  void advance(size_t count) { at += count; }
  void skipBlanks();

  /// The place, for reading something twice.
  size_t position() const { return at; }
  void setPosition(size_t p) { at = p; }

  /// What stands on this line up to here, without blanks before it, as a place
  /// in the text.
  SourceRange line();

private:
  SourceRange place();
  bool location(SourceRange &to);

  llvm::StringRef all;
  size_t at = 0;
  std::pair<size_t, unsigned> counted{0, 1}; // a position, and its line
  std::string failure;
  SourceRange failurePlace;
};

} // namespace convopt

#endif // CONVOPT_LIB_NEST_CURSOR_H
