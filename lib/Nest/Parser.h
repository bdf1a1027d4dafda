//===- Parser.h - From .nest text to a nest ---------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_NEST_PARSER_H
#define CONVOPT_LIB_NEST_PARSER_H

#include "Cursor.h"
#include "ExprParser.h"
#include "convopt/Nest/Nest.h"
#include <vector>

namespace convopt {

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
