//===- Invocation.h - Running Clang on one file -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From a path to an AST, without a compilation database and without a CUDA
/// toolkit.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_INVOCATION_H
#define CONVOPT_LIB_FRONTEND_INVOCATION_H

#include "LineMap.h"
#include "ParseErrors.h"
#include "convopt/Frontend/Frontend.h"

namespace clang {
class ASTContext;
class ASTUnit;
class Preprocessor;
} // namespace clang

namespace convopt {

/// The language of a source file by its extension.
enum class Language { C, Cxx, Cuda };

struct ParsedFile {
  std::string text;
  LineMap lines; // where the text was made of the source
  Language language = Language::C;
  std::shared_ptr<clang::ASTUnit> unit;
  std::vector<BrokenBody> broken; // which nothing may use
  std::string errors;             // what Clang says of them

  clang::ASTContext &ast() const;
  clang::Preprocessor &preprocessor() const;
  llvm::StringRef path() const; // of the source
};

/// Reads and parses \p path; Clang's diagnostics go to stderr. Refuses (rule
/// "input") what is no readable file, has no known extension, or does not
/// parse: bodies of functions may have errors, which are not printed.
llvm::Expected<ParsedFile> parseFile(llvm::StringRef path,
                                     const FrontendOptions &options);

/// What is to be said where \p file has no other function than broken ones.
llvm::Error refuseBroken(const ParsedFile &file);

/// Parses \p text, made of that of \p source, in its place, whose other files
/// it includes. Where it does not parse, or has other errors than the source,
/// the refusal is Clang's first error in its words.
llvm::Expected<ParsedFile> parseText(const ParsedFile &source, std::string text,
                                     const FrontendOptions &options);

/// What a `.cu` file sees instead of the toolkit's headers: the text of the
/// header that is included first, and the names of those that become empty.
llvm::StringRef cudaStubText();
/// What <omp.h> is where there is none.
llvm::StringRef ompStubText();
/// What <cuComplex.h> is where there is none.
llvm::StringRef complexStubText();
llvm::ArrayRef<llvm::StringRef> cudaHeaderNames();
/// What header \p name of these declares beside the stubs: names that other
/// files are free to use.
llvm::StringRef cudaHeaderText(llvm::StringRef name);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_INVOCATION_H
