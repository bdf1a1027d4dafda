//===- Candidate.h - What may be the nest -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_CANDIDATE_H
#define CONVOPT_LIB_FRONTEND_CANDIDATE_H

#include "Outline.h"
#include "convopt/Support/Refusal.h"
#include <deque>

namespace convopt {

/// The outermost loops of a function, by how many follow them: what stands
/// before them may change.
struct LoopsWithin {
  const clang::FunctionDecl *function;
  const ParsedFile *file;
  size_t fromEnd;                     // 1: the last ones
  std::optional<FixedVariable> fixed; // within them
};

/// A function of the source, or loops of one that became a function.
struct Candidate {
  const clang::FunctionDecl *function;
  const ParsedFile *file;
  /// The method or instance of which `function` is the body, else null.
  const clang::FunctionDecl *original = nullptr;
  SourceRange where; // the function's name, or the loops
  std::string name;  // for messages: "'conv'", "these loops of 'conv'"
  bool hasLoop = false, accumulates = false, isCalled = false;
  /// It adds nothing up, beside others that do, and was not built.
  bool isLeftOut = false;
  /// The loops that -function means, by their line.
  const clang::Stmt *loops = nullptr;
  std::optional<NestCall> call;
  std::optional<LoopsWithin> within; // of loops that no other loop holds
  /// Why these loops are no nest, where none can have statements beside loops.
  std::optional<Refusal> alone;

  // After a try to build it: one of the two.
  std::optional<Nest> nest;
  std::unique_ptr<Refusal> refusal;
  Nest unfinished; // of what was refused, as far as it got

  /// Its loops and statements; what has no name yet is `?`.
  std::string understood() const;
  /// The nest or the reason why it is none. Nests that follow one another are
  /// one where \p runsAsOne says so.
  void build(const RunsAsOne &runsAsOne = {});
};

/// What \p e refuses; null where it is success.
std::unique_ptr<Refusal> refusalOf(llvm::Error e);

/// `outer::conv<float>`, without namespaces that have no name.
std::string qualifiedName(const clang::FunctionDecl *f);

/// \p f of \p file, not yet built.
Candidate candidateOf(const clang::FunctionDecl *f, const ParsedFile &file);

/// The loops of \p c, each as a function of its own and built: those that add
/// up, or all. \p files keeps the texts that they are in.
std::vector<Candidate> loopsOf(const Candidate &c,
                               const FrontendOptions &options,
                               std::deque<ParsedFile> &files);

/// \p several loops of one function, in the order of the text, each as a
/// function of its own and built, but all in one text.
std::vector<Candidate> inOneText(llvm::ArrayRef<LoopsWithin> several,
                                 const FrontendOptions &options,
                                 std::deque<ParsedFile> &files);

/// The loops of \p c, which is built, once for each value of a variable that
/// says where elements of an output are, as in an image of one or the other
/// layout; none where nothing does.
std::vector<LoopsWithin> layoutsOf(const Candidate &c);

/// The body of \p f of \p file, a method or an instance of a template, as a
/// function, or why it is none.
Candidate bodyOf(const clang::FunctionDecl *f, const ParsedFile &file,
                 const FrontendOptions &options, std::deque<ParsedFile> &files);

/// The loop of \p f that begins in \p line, or null.
const clang::Stmt *loopAt(const clang::FunctionDecl *f, unsigned line);

/// Whether a statement of \p nest adds to an element more than once.
bool hasReduction(const Nest &nest);

/// The values of a parameter that alone says at which of several places \p nest
/// writes an element, as of `y[nhwc ? a : b]`: an array has one shape, so that
/// each layout is a nest of its own. None where no parameter does.
std::vector<FixedVariable> layoutValues(const Nest &nest);

/// What to say of \p nest where it holds several layouts all the same, as no
/// nest of its own can be made of each: a kernel's, or those that a field
/// tells apart. Empty where it has one.
std::string severalLayouts(const Nest &nest);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_CANDIDATE_H
