//===- Frontend.h - From C, C++ and CUDA source to a nest -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only library that sees Clang. It finds the naive convolution in a file,
/// proves that it is a nest, and builds it; or refuses at a source location.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_FRONTEND_FRONTEND_H
#define CONVOPT_FRONTEND_FRONTEND_H

#include "convopt/Nest/Nest.h"
#include "convopt/Support/Replacement.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// Whether the loops that a nest has side by side can run as one.
using RunsAsOne = std::function<bool(const Nest &)>;

struct FrontendOptions {
  std::string function;               // -function=NAME; empty: the only one
  std::vector<std::string> arguments; // after `--`: -I, -D, -std, ...
  std::string argv0;                  // for finding the resource directory
  bool explain = false;               // -explain: print what was understood
  bool mayBeSeveral = false;          // nests of one function may be several
  std::string suffix;                 // of the names of added functions
  /// Refuses a nest that no kernel can be made of. It is asked where several
  /// come into question, and those are left out, unless that is all.
  std::function<llvm::Error(const Nest &)> check = {};
  /// It is asked about nests that follow one another in a function. They are
  /// nests of their own where they cannot run as one.
  RunsAsOne runsAsOne = {};
};

/// A call of the naive function in the source text.
struct CallSite {
  size_t begin, end; // byte offsets of the function's name, with its scopes
  std::string name;  // what the suffix goes to: the same text, or with others
};

/// A `<<<>>>` launch of the naive kernel in the source text.
struct LaunchSite {
  size_t begin, end;  // byte offsets of the whole call expression
  std::string callee, afterName; // "filters::convNaive" and "<float, 3>"
  std::string grid, block, shared, stream; // source text; "0" where left out
  std::string arguments; // source text between the parentheses
};

/// A name that cannot be declared again where the nest's function stands: a
/// declaration in the same scope, or a macro.
struct DeclaredName {
  std::string name;
  SourceRange where;
  std::string file; // a header's path; empty for the source itself
};

/// A macro that an option such as -DK=7 defines and the source mentions, or one
/// that the source leaves to such an option, as by `#ifndef K`.
struct CommandLineMacro {
  std::string name;
  std::string value;     // where it is one token
  bool isDefined = true; // else the function tests it, and there is none
};

/// The call of a function that was made of a nest among other statements.
struct NestCall {
  size_t begin, end;     // byte offsets, without the semicolon
  std::string arguments; // what stands after its name: "<T>(in, out, n)"
};

/// The declaration of another function with the same parameters, but for its
/// name.
struct Prototype {
  size_t at;             // the byte offset after the first one of the function
  std::string templates; // "template <typename T>"
  std::string parameters;
};

/// Functions or variables of one declaration that only its file sees.
struct OwnDeclaration {
  std::vector<std::string> names;
  size_t begin = 0, end = 0; // in the text
};

/// What is left of a source for a file that is linked beside it.
struct DeclarationsOnly {
  /// They leave of what other files can see its declaration, but for templates,
  /// inline functions and what runs on the device.
  std::vector<Replacement> edits;
  std::vector<OwnDeclaration> own; // that need not stay
  /// Why no such file can stand in for the function, and what to do; else
  /// empty.
  std::string refused, remedy;
  SourceRange where;
};

/// The edits of \p source, and those by which \p text has no declarations of
/// its own that neither its other text nor \p added names.
std::vector<Replacement> withoutUnused(llvm::StringRef text,
                                       const DeclarationsOnly &source,
                                       llvm::StringRef added);

/// The types of the function's parameters, for a header.
struct HeaderTypes {
  /// The source's own includes that declare them: `<vector>`, `"image.h"`.
  std::vector<std::string> includes;
  /// Why a header cannot name one of them, and what to do; else empty.
  std::string refused, remedy;
};

/// Bytes of a text.
struct TextSpan {
  size_t begin, end;
};

/// A nest and where it stands in the text that it came from.
struct SourceNest {
  Nest nest;
  std::string text;         // the whole file
  /// Where the function was made of a nest that has other statements around it:
  /// the text has the function, and this call is to be one of the tiled code.
  std::optional<NestCall> call;
  bool isC = false;         // a C translation unit, not C++ or CUDA
  bool isLocal = false;     // of C, and no other file can call the function
  bool isOverloaded = false; // others have its name
  bool isExternC = false;   // the function is `extern "C"` in C++
  bool isInExternC = false; // and stands in a block of it
  size_t functionEnd = 0;   // byte offset right after the definition
  /// The namespaces around the function, outermost first; "" has no name.
  std::vector<std::string> scope;
  std::vector<LaunchSite> launches; // of a kernel
  std::vector<CallSite> calls;      // of others
  /// What the file makes of a template, by name or by a call: the values of all
  /// Function::templateArgs, of instances whose types are numbers.
  std::vector<std::vector<std::string>> instances;
  Prototype prototype;
  /// Of the source and its own headers, without the system's, in no order
  /// that matters.
  std::vector<DeclaredName> declared;
  /// Macros where the added code goes: for C, whose text is hidden from CUDA,
  /// those of the command line.
  std::vector<std::string> macros;
  std::vector<CommandLineMacro> commandLineMacros;
  HeaderTypes types;
  /// Headers that the source includes, directly or not, without the system's.
  std::vector<std::string> headers;
  /// What Clang does not understand: bodies of functions, with their braces,
  /// that nothing here uses.
  std::vector<TextSpan> broken;
  DeclarationsOnly beside;
  /// Where several functions came into question: which was taken, and then why
  /// each other one was not. What chooses among layouts of the output follows,
  /// where no nest could be made of each.
  std::vector<std::pair<SourceRange, std::string>> choice;
};

/// Reads \p path and builds the nest of the one function that has one (or of
/// `options.function`); or, where there may be several, those that follow one
/// another in it, all in the same text. Clang's own diagnostics go to stderr.
/// Never writes.
llvm::Expected<std::vector<SourceNest>>
readSource(llvm::StringRef path, const FrontendOptions &options);

/// \p cuda with every `f<<<g, b, m, s>>>(args)` replaced by
/// `::cuda_on_cpu::launch(dim3(g), dim3(b), m, s, [&] { f(args); })`, or
/// launchLater and `[=]` where a stream is given and all arguments are names or
/// conversions of names, and every `extern __shared__ T s[];` by
/// `CUDA_ON_CPU_DYNAMIC_SHARED(T, s);`, so that a host compiler takes it.
std::string rewriteLaunchesForHost(llvm::StringRef cuda);

/// \p code in LLVM's style (clang-format as a library).
std::string formatCode(llvm::StringRef code, unsigned columns = 80);

/// "22.1.8"
std::string clangVersion();

} // namespace convopt

#endif // CONVOPT_FRONTEND_FRONTEND_H
