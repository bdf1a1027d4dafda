//===- Outline.h - A function's loops as a function -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A nest among other statements is made a function of its own, in the source's
/// text, and called in its place. Everything after that (analysis, the code
/// that is added, the naive code to compare with and to fall back to) then
/// knows functions alone, and what is verified is the text as it stands.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_OUTLINE_H
#define CONVOPT_LIB_FRONTEND_OUTLINE_H

#include "Invocation.h"
#include "Meaning.h"
#include "convopt/Support/Refusal.h"

namespace convopt {

/// A variable that has one value in loops, as `nhwc` has where it is 1.
struct FixedVariable {
  std::string name;
  int64_t value;
};

/// A text in which loops have become a function.
struct OutlinedText {
  std::string name; // of that function
  std::string text; // of the whole file
  LineMap lines;
  std::optional<NestCall> call; // in its place; none of a kernel
  std::map<size_t, size_t> inserted; // bytes of what is new, by where
  /// Those that its body ends with, before statements that give \p results
  /// back.
  std::vector<Meaning> meanings;
  size_t results = 0;
  /// Why these loops are no nest where none can have statements beside loops.
  std::optional<Refusal> alone;
  /// Subscripts are those of views (NestedVectors.h).
  bool hasViews = false;
};

/// Bytes of a file.
struct TextRange {
  size_t begin = 0, end = 0;
};

/// Where \p loops stand in \p file, with the semicolon of a body without
/// braces; none where a macro holds a part of them.
std::optional<TextRange> textRangeOf(const ParsedFile &file,
                                     const clang::Stmt *loops);

/// Loops that no other loop holds, `for` and `while` that counts, in the order
/// of the text; those of lambdas are not looked at. A run of loops (LoopRuns.h)
/// counts as one.
std::vector<const clang::Stmt *> outermostLoops(const clang::FunctionDecl *f);

/// \p stem, or that with a number: what stands nowhere in \p text.
std::string freshName(llvm::StringRef stem, llvm::StringRef text);

/// Moves \p loops of \p f to `<f>_nest`, before \p f. What they use is passed;
/// sizes that are set once, by arithmetic, are computed anew, so that the nest
/// still knows how one follows from another. Numbers that they set are given
/// back in memory where they are read after them. Refuses (rules of
/// Diagnostics.h) loops that leave \p f, set other things that are read after
/// them, or mean something else elsewhere. Where \p fixed has another value the
/// loops stay as they are.
llvm::Expected<OutlinedText>
outline(const ParsedFile &file, const clang::FunctionDecl *f,
        const clang::Stmt *loops,
        const std::optional<FixedVariable> &fixed = std::nullopt);

/// Moves the body of \p f to `<f>_body`: of a method, which takes the fields
/// that it uses, or of an instance of a template.
llvm::Expected<OutlinedText> bodyAsFunction(const ParsedFile &file,
                                            const clang::FunctionDecl *f);

/// Whether the file has `template void f<float>(...);` for \p instance.
bool isInstantiated(const clang::FunctionDecl *instance);

/// What the file makes of \p pattern, which is a template or in one.
std::vector<const clang::FunctionDecl *>
instancesOf(const clang::FunctionDecl *pattern);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_OUTLINE_H
