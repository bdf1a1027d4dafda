//===- Assemble.h - The emitted file around the source ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_EMIT_ASSEMBLE_H
#define CONVOPT_EMIT_ASSEMBLE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Support/Replacement.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace convopt {

/// What the first lines of an emitted file say.
struct Provenance {
  std::string version;               // "0.1.0"
  std::string source;                // base name of the input
  std::vector<std::string> command;  // options that shaped the output
  std::vector<std::string> schedule; // one step each
  bool keepsBits = false;            // of sums, in all kernels
  /// Macros of the command line on which the source and so the nest rest, with
  /// their values; the file does not compile with other numbers.
  struct Macro {
    std::string name, value;
    bool isDefined = true;
  };
  std::vector<Macro> macros;
  /// Kernels besides the general one.
  struct Version {
    std::string name;  // "conv_tiled_K7"
    std::string facts; // "K=7"; none: of all sizes
    std::vector<std::string> schedule;
  };
  std::vector<Version> versions;
};

/// The code that is added to a source for one of its functions.
struct AddedCode {
  std::string includes, text;
  size_t at = 0;            // byte of the source, after the naive function
  bool isC = false;         // the source is kept under `#ifndef __cplusplus`
  bool isBeside = false;    // and is left out, as it is linked with
  std::string ofC;          // added to that, too, and not for nvcc
  bool isInExternC = false; // stands in a block of C linkage
};

/// Words of \p text, such as members of CUDA's structures, that are among \p
/// macros, and that nothing of \p nest is.
std::vector<std::string> macrosIn(llvm::StringRef text,
                                  llvm::ArrayRef<std::string> macros,
                                  const Nest &nest);

/// \p text, of whole lines, in which none of \p macros is one.
std::string withoutMacros(llvm::StringRef text,
                          llvm::ArrayRef<std::string> macros);

/// As comments.
std::string printProvenance(const Provenance &provenance);

/// The emitted file: provenance, includes, and the source \p text with its
/// launches replaced and \p code inserted, in the order of its places.
std::string assembleFile(const Provenance &provenance, llvm::StringRef text,
                         llvm::ArrayRef<Replacement> replacements,
                         llvm::ArrayRef<AddedCode> code);

} // namespace convopt

#endif // CONVOPT_EMIT_ASSEMBLE_H
