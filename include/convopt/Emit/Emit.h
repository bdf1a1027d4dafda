//===- Emit.h - CUDA text from a mapped nest --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints the kernel, the launcher and the drop-in replacement. The text is a
/// function of the arguments alone: the same bytes on every run.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_EMIT_EMIT_H
#define CONVOPT_EMIT_EMIT_H

#include "convopt/Dependence/Boxes.h"
#include "convopt/Legality/CheckedNest.h"
#include "convopt/Nest/LaunchLoops.h"
#include "convopt/Target/Gpu.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace convopt {

struct EmitOptions {
  std::string suffix = "_tiled"; // -suffix=
  bool isC = false;              // the source is C, which CUDA does not see
  /// Names that mean something else where the code goes: macros.
  std::vector<std::string> reserved = {};
  /// Tiles that need no guards run a copy of the code without them.
  bool fullTiles = true;
  /// The program of a kernel keeps its assertions.
  bool assertions = false;
  /// What the sizes of the nest rest on: checked before any of them is used.
  std::vector<Assumption> facts = {};
  /// Names a version of the kernel, `<name><suffix>_<version>_kernel`; empty
  /// for the general one.
  std::string version = {};
  /// Of a version: with fewer blocks its launcher passes it over.
  int64_t leastBlocks = 0;
  /// The whole name of a launcher that is as that of a version, in place of
  /// `<name><suffix>_launch`.
  std::string launcher = {};
  /// Of one of several kernels that a launcher runs in turn, what all its names
  /// have besides: `_1`.
  std::string part = {};
  bool isLocal = false;   // of C, and no other file can call the function
  bool isExternC = false; // of C++, and the function is `extern "C"`
  /// Arrays of which fewer elements may be touched than their footprint says
  /// (looseFootprints): host functions find out how many, and copy no more.
  std::vector<unsigned> loose = {};
  /// What host functions copy of each array (boxesOf); of what has no boxes
  /// they find out where it begins, and copy back element by element.
  std::vector<ArrayBoxes> boxes = {};
};

/// A kernel for some sizes besides the general one.
struct KernelVersion {
  std::string name; // part of an identifier: "K7"
  CheckedNest nest; // mapped
  std::vector<Assumption> facts;
  bool fullTiles = true;
  int64_t leastBlocks = 0; // with fewer, another kernel is faster
};

/// What is added to a source.
struct AddedText {
  std::string includes; // `#include` lines that it needs
  std::string text;
};

/// The kernel, `<name><suffix>_launch`, and `<name><suffix>` (a nest) or
/// `<name><suffix>_dispatch` (a kernel): everything that is added after the
/// naive function. \p nest must be mapped (docs/Design.md, Emission); refuses
/// (rule "Mapping") where it is not, and (rule "limit") what \p gpu cannot run.
///
/// Each of \p versions has a kernel and a launcher of its own, and
/// `<name><suffix>_launch` tries them in order: the first whose facts hold,
/// whose block the device has room for, and that has blocks enough, is
/// launched. None is \p nest's. A version with leastBlocks refuses (rule
/// "structure") sums that blocks share.
llvm::Expected<AddedText> emitCuda(const CheckedNest &nest, const Gpu &gpu,
                                   const EmitOptions &options,
                                   llvm::ArrayRef<KernelVersion> versions = {});

/// One of several nests that run one after the other, with its versions.
struct SequencePart {
  CheckedNest nest;    // mapped
  EmitOptions options; // with the name of the part
  std::vector<KernelVersion> versions;
  LaunchLoops around; // of the whole
};

/// The same of a nest that \p parts compute in their order: each has kernels
/// and a launcher, and `<name><suffix>_launch` calls those in turn, in the
/// loops around them. What one leaves for the next stays on the device. \p
/// whole is not mapped.
llvm::Expected<AddedText> emitSequence(const CheckedNest &whole, const Gpu &gpu,
                                       const EmitOptions &options,
                                       llvm::ArrayRef<SequencePart> parts);

/// A launcher of the general kernel alone, called EmitOptions::launcher, beside
/// what emitCuda makes of it and its versions: verification runs the kernel for
/// sizes that versions take. Empty where it needs functions of its own.
llvm::Expected<std::string> emitLauncher(const CheckedNest &nest,
                                         const Gpu &gpu,
                                         const EmitOptions &options);

/// The function that replaces \p f. Of C with parts of parameters, the one that
/// takes the parts: a wrapper with the naive signature stands in the C.
std::string hostName(const Function &f, bool isC, llvm::StringRef suffix);

/// C for after the naive function, where that is local to its file: what the
/// added code calls in its place.
std::string exportOriginal(const Nest &nest, const EmitOptions &options);

/// Whether \p name is one of CUDA's variables and types or begins as names of
/// its runtime do: where the added code uses it, the source must not declare it
/// as something else.
bool isCudaName(llvm::StringRef name);

} // namespace convopt

#endif // CONVOPT_EMIT_EMIT_H
