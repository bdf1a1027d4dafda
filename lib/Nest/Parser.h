//===- Parser.h - From .nest text to a nest ---------------------*- C++ -*-===//
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

#ifndef CONVOPT_LIB_NEST_PARSER_H
#define CONVOPT_LIB_NEST_PARSER_H

#include "convopt/Nest/Nest.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

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

/// Parses expressions, bounds, conditions and accesses of \p nest. The names
/// of arrays come from the nest, those of loops and parameters from `names`.
/// Every function leaves a failure in the cursor where it returns false.
class ExprParser {
public:
  ExprParser(Cursor &cursor, const Nest &nest) : c(cursor), nest(nest) {}

  /// `16 * y_o + y_i`, with `%`, floordiv(a, b) and ceildiv(a, b).
  bool expr(IndexExpr &to);
  /// `e` or `ceildiv(e, 16)`.
  bool bound(Bound &to);
  /// A bound, or several as `max(a, b)` for the word \p fold.
  bool bounds(std::vector<Bound> &to, llvm::StringRef fold);
  /// `a < b` in any of the five comparisons.
  bool constraint(Constraint &to);
  /// Constraints joined by `and`.
  bool conjunction(std::vector<Constraint> &to);
  /// `x[n][y + i]`: as many subscripts as array \p counted has dimensions, by
  /// default the one that is named.
  bool access(Access &to, std::optional<unsigned> counted = std::nullopt);
  /// The name of an array.
  bool array(unsigned &to);

  /// The array called \p name.
  std::optional<unsigned> findArray(llvm::StringRef name) const;

  llvm::StringMap<Var> names;

private:
  bool sum(IndexExpr &to);
  bool product(IndexExpr &to);
  bool unary(IndexExpr &to);
  bool primary(IndexExpr &to);
  bool quotient(IndexExpr &num, IndexExpr &den);
  bool checked(const IndexExpr &e);
  bool multiply(IndexExpr &a, const IndexExpr &b);
  bool buffer(Access &a);

  Cursor &c;
  const Nest &nest;
  unsigned depth = 0;
};

/// What the two halves of the parser share.
struct Parsing {
  Cursor cursor;
  Nest nest;
  ExprParser exprs;

  explicit Parsing(llvm::StringRef text) : cursor(text), exprs(cursor, nest) {}

  /// The id of the loop called \p name, new where there was none.
  bool loop(unsigned &id, llvm::StringRef name);
};

/// Everything before the first loop or statement.
class HeaderParser {
public:
  explicit HeaderParser(Parsing &p) : p(p), c(p.cursor), nest(p.nest) {}

  bool parse();
  /// Looks up what the header names before its declaration.
  bool resolve();

private:
  bool title();
  bool kernel();
  bool templateLine();
  bool argument();
  bool origin(Argument &a);
  bool launchSize(Argument &a);
  bool parameter();
  bool param();
  bool array();
  bool loops();
  bool declaredLoop(unsigned &loop);
  bool named(std::string &name, llvm::StringRef what);
  bool unfold();
  bool thread();
  bool launch();
  bool minBlocks();
  bool assume();
  bool end();
  llvm::StringRef textUntil(llvm::StringRef stops);
  bool role(llvm::StringRef word, Array &a);
  bool borders(std::vector<Border> &all);
  bool buffer(Array &a);
  bool layout(BufferLayout &layout);
  template <typename T>
  bool numbers(llvm::StringRef word, const char *what, std::vector<T> &all);
  bool count(int64_t &to, llvm::StringRef what, int64_t most = INT64_MAX);

  Parsing &p;
  Cursor &c;
  Nest &nest;
  /// The name that an argument or thread refers to, and where it stands.
  struct Reference {
    std::string name;
    size_t position;
  };
  std::vector<Reference> argumentTargets, threadLoops;
};

/// Loops, guards, statements, locals and barriers.
class BodyParser {
public:
  explicit BodyParser(Parsing &p) : p(p), c(p.cursor), nest(p.nest) {}

  bool parse() { return body(nest.body); }

private:
  bool body(Body &out);
  bool node(Body &out);
  bool inside(Body &out, SourceRange &range);
  bool loop(Body &out);
  bool kind(LoopKind &kind);
  bool guard(Body &out);
  bool local(Body &out);
  bool barrier(Body &out);
  bool copy(Body &out);
  bool store(Body &out);
  bool buffer(unsigned &buffer);
  bool endCopy(std::shared_ptr<Copy> copy, Access box, Body &out);
  bool statement(unsigned id, Body &out);
  bool instance(Statement &s);
  bool operation(Statement &s);
  bool rightHandSide(Statement &s);
  bool operand(llvm::StringRef word, Statement &s);
  bool guardedRead(Operand &o);
  bool quotedWord(std::string &text);

  Parsing &p;
  Cursor &c;
  Nest &nest;
  std::vector<unsigned> enclosing; // current loops
  std::vector<bool> seen;          // loops that the tree has, by id
  unsigned depth = 0;
};

} // namespace convopt

#endif // CONVOPT_LIB_NEST_PARSER_H
