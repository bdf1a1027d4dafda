//===- LoopRuns.h - Loops that follow one another ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A fill, a sum and an activation that follow one another may be one nest, and
/// so may a sum, its square root and what is divided by that. A block around
/// them in the text makes them one statement, as which all that is done with
/// the loops of a function is done with them (Outline.h).
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_LOOPRUNS_H
#define CONVOPT_LIB_FRONTEND_LOOPRUNS_H

#include "Outline.h"

namespace convopt {

/// What is put around a run of loops: a block that begins with an empty
/// statement, which tells it from those of the source.
inline constexpr char RunBegins[] = "{;", RunEnds[] = "}";

/// Whether \p s is such a block.
bool isLoopRun(const clang::Stmt *s);

/// What becomes a block of the text.
struct Block {
  TextRange range;
  /// Declarations of what is named after it, which come to stand before it, and
  /// the parts of these that it loses.
  std::string declarations;
  std::vector<TextRange> moved;
};

/// Loops that follow one another, two or more, with nothing but statements
/// about numbers between.
struct LoopRun {
  /// A variable that is declared between two loops.
  struct Variable {
    std::string name;
    TextRange declared; // from its type to its name
    size_t lastUse = 0; // the last byte at which it is named
    bool mayMove = false;
  };
  std::vector<TextRange> loops;
  /// What stands between two loops, one less.
  struct Gap {
    bool isEmpty = true;
    std::vector<Variable> variables;
  };
  std::vector<Gap> gaps;

  /// The loops from \p first to \p last as a block of \p text, or nothing where
  /// a declaration would have to move that cannot.
  std::optional<Block> blockOf(size_t first, size_t last,
                               llvm::StringRef text) const;
  /// Whether something stands between them.
  bool hasStatements(size_t first, size_t last) const;
};

/// The outermost loops of \p f, of \p file, that follow one another in a list
/// of statements and have an array in common with the one before, or use a
/// number that this one, or what is computed from it, sets.
std::vector<LoopRun> loopRuns(const clang::FunctionDecl *f,
                              const ParsedFile &file);

/// A text with blocks around loops; lines stay what they are.
struct BracedText {
  BracedText(llvm::StringRef text, std::vector<Block> blocks);

  /// Where the block now begins that is to begin at byte \p at.
  size_t placeOf(size_t at) const { return begins.at(at); }

  std::string text;

private:
  std::map<size_t, size_t> begins;
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_LOOPRUNS_H
