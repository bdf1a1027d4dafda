//===- LoopRuns.h - Loops that follow one another ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A fill, a sum and an activation that follow one another may be one nest. A
/// block around them in the text makes them one statement, as which all that is
/// done with the loops of a function is done with them (Outline.h).
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_LOOPRUNS_H
#define CONVOPT_LIB_FRONTEND_LOOPRUNS_H

#include "Outline.h"
#include <vector>

namespace convopt {

/// What is put around a run of loops: a block that begins with an empty
/// statement, which tells it from those of the source.
inline constexpr char RunBegins[] = "{;", RunEnds[] = "}";

/// Whether \p s is such a block.
bool isLoopRun(const clang::Stmt *s);

/// The outermost loops of \p f, of \p file, that follow one another in a list
/// of statements and have an array in common with the one before, two or more.
std::vector<std::vector<TextRange>> loopRuns(const clang::FunctionDecl *f,
                                             const ParsedFile &file);

/// A text with blocks around loops; lines stay what they are.
struct BracedText {
  BracedText(llvm::StringRef text, std::vector<TextRange> runs);

  /// Where byte \p at, before which no run ends within, is now.
  size_t placeOf(size_t at) const;

  std::string text;

private:
  std::vector<TextRange> runs; // sorted
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_LOOPRUNS_H
