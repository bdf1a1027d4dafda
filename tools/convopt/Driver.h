//===- Driver.h - What the parts of the tool do -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_DRIVER_H
#define CONVOPT_TOOLS_CONVOPT_DRIVER_H

#include "Options.h"
#include "convopt/Emit/Assemble.h"
#include "convopt/Emit/Emit.h"
#include "convopt/Frontend/Frontend.h"
#include "convopt/Schedule/Fission.h"
#include "convopt/Schedule/PlannedKernel.h"
#include "convopt/Support/Refusal.h"
#include <list>

namespace convopt {

/// A nest of a source and its kernels on their way to a file.
struct PlannedFile {
  const Options &options;
  Gpu gpu = {};
  SourceNest source = {};
  std::vector<PlannedKernel> kernels = {}; // the general one first
  std::vector<unsigned> loose = {};        // looseFootprints
  /// Where several kernels compute it in turn: how, and each of the parts.
  std::optional<KernelSequence> sequence = {};
  std::list<PlannedFile> parts = {};
  // Of a part, what its names have besides, `_1`, and what it is in the whole.
  std::string part = {};
  const KernelSequence::Part *inWhole = nullptr;

  const PlannedKernel &general() const { return kernels.front(); }
  llvm::ArrayRef<PlannedKernel> versions() const {
    return llvm::ArrayRef(kernels).drop_front();
  }
  /// `conv_tiled_K7`, of the general one `conv_tiled`.
  std::string kernelName(const PlannedKernel &k) const {
    return source.nest.function.name + options.suffix +
           (k.name.empty() ? "" : "_" + k.name) + part;
  }
  /// What has kernels: its parts, or itself.
  std::vector<const PlannedFile *> launched() const;
  /// All kernels of those.
  std::vector<const PlannedKernel *> launchedKernels() const;
  /// Whether sums keep the order of the source: within each kernel, and as no
  /// two statements of parts, which may have been taken apart, add to one
  /// array.
  bool keepsOrder() const;
  /// Of the general kernel.
  LowerOptions lowerOptions() const;
};

/// Those of one file, all with the same text: nests of one function, where
/// several follow one another.
using PlannedNests = std::list<PlannedFile>;

//===----------------------------------------------------------------------===//
// Inputs and kernels (Inputs.cpp, PlannedFile.cpp)
//===----------------------------------------------------------------------===//

/// The options for each input, with those that its build has for it; a remark
/// says which these are. Of several inputs -o names a folder, in which
/// `conv.c` becomes `conv_tiled.cu`. Refuses (rule "usage") an input that is
/// given twice, by whatever names, no folder, two outputs of one name, (rule
/// "output") a folder that is a file, and what buildFlags refuses.
llvm::Expected<std::vector<Options>> optionsOfInputs(const Options &options);

/// Refuses (rule "names") two of \p files in which functions of one name would
/// be added: a program cannot have both.
llvm::Error checkApart(llvm::ArrayRef<const PlannedFile *> files);

/// A makefile's rule: the output of \p file is made of its source, the headers
/// that this includes, but for the system's, and files of schedules.
std::string dependencyRule(const PlannedFile &file);

/// Makes the folder \p path where there is none; refuses (rule "output") where
/// that fails.
llvm::Error makeFolder(llvm::StringRef path);

/// The folder that \p path lies in.
std::string folderOf(llvm::StringRef path);

/// The general kernel first, then the versions: each has its own facts and
/// those of the general one. Refuses (rule "usage") what is no fact about
/// \p source.
llvm::Expected<std::vector<PlannedKernel>> requestedKernels(const Options &o,
                                                            const Nest &source);

//===----------------------------------------------------------------------===//
// Texts (EmitFile.cpp, EmitHeader.cpp, Redirect.cpp)
//===----------------------------------------------------------------------===//

/// A CUDA file.
struct EmittedFile {
  std::string text;
  /// The same where the source's broken bodies are empty, as a model of CUDA
  /// understands them no better than Clang does.
  std::string toVerify;
};

/// The CUDA file: the source with the tiled code of \p nests or, to be linked
/// beside it, with declarations in place of its definitions. Refuses what
/// emitCuda and checkAddedNames refuse, and (rule "link") a function that
/// another file cannot call.
llvm::Expected<EmittedFile> emitFile(const PlannedNests &nests, Link link);

/// The edits that leave the broken bodies of \p source empty in place of those
/// of \p edits that are within them.
std::vector<Replacement> withoutBroken(const SourceNest &source,
                                       std::vector<Replacement> edits);

/// A header with the prototypes of what the CUDA file adds. Refuses (rule
/// "header") a template, and a function or a type that only its file sees.
llvm::Expected<std::string> emitHeader(const PlannedFile &file);

/// What the first lines of both say.
Provenance provenanceOf(const PlannedFile &file);

/// Those of a sequence of kernels; none of one kernel.
llvm::Expected<std::vector<SequencePart>> partsOf(const PlannedFile &file);

/// The steps of the general kernel, after those of others as comments; refused
/// where several kernels run in turn, of which each has steps of its own.
llvm::Expected<std::string> printSchedules(const PlannedFile &file);

/// Refuses (rule "names") where \p source already declares what \p code, which
/// is to be added to it, declares: names that begin with the function's and
/// \p suffix. Nor may it declare for itself what \p code needs of CUDA.
llvm::Error checkAddedNames(const SourceNest &source, llvm::StringRef code,
                            llvm::StringRef suffix);

/// The declaration of what calls, or launches, of the naive function become.
std::string prototype(const PlannedFile &file);

/// The edits of the source that have its calls and launches of the naive
/// function, and the nest that was one among other statements, run tiled code.
/// Those before anything declares the function stay, with a warning.
std::vector<Replacement> redirectCalls(const PlannedFile &file);

//===----------------------------------------------------------------------===//
// Reports and verification (Summary.cpp, Verification.cpp)
//===----------------------------------------------------------------------===//

/// Prints what one kernel is, on a line: its sizes, block and register tile,
/// where the inputs of its sums are kept, and which sizes would keep the others
/// there, if they were known. Plans kernels to see whether they would.
///
///   conv_tiled_K3: for K=3; 32 x 8 threads a block, 8 outputs a thread (x 4,
///   m 2); 'in', 'w' in shared memory
///
/// \p kernel is one of \p file.
void printSummary(const PlannedFile &file, const PlannedKernel &kernel,
                  llvm::raw_ostream &os);

/// `9 blocks a sum, added up in a fixed order: the same bits in each run` where
/// threads or blocks share sums; else nothing.
std::string sharesOfSum(const Nest &nest);

/// `K=7, C>=4`
std::string printFacts(const PlannedKernel &kernel);

/// Compiles and runs the naive code and \p emitted, or the user's edited output
/// in its place, and compares. Refuses what runVerification refuses.
llvm::Error verify(const PlannedFile &file, const std::string &emitted);

/// The program that does so elsewhere.
llvm::Expected<std::string> verifyDriver(const PlannedFile &file);

//===----------------------------------------------------------------------===//
// The whole (Driver.cpp)
//===----------------------------------------------------------------------===//

/// Reads each input, transforms its nest, and writes what `-emit` asks for.
/// Reports what is refused on stderr, of all inputs; then nothing is written.
ExitStatus runDriver(const Options &options);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_DRIVER_H
