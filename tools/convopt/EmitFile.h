//===- EmitFile.h - The text that is written --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_EMITFILE_H
#define CONVOPT_TOOLS_CONVOPT_EMITFILE_H

#include "PlannedFile.h"
#include "convopt/Emit/Assemble.h"

namespace convopt {

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

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_EMITFILE_H
