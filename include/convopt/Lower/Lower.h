//===- Lower.h - From a checked nest to programs ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The kernel, the launcher and the drop-in replacement as typed trees. They
/// are a function of the arguments alone.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LOWER_LOWER_H
#define CONVOPT_LOWER_LOWER_H

#include "convopt/Dependence/Boxes.h"
#include "convopt/Legality/CheckedNest.h"
#include "convopt/Nest/LaunchLoops.h"
#include "convopt/Program/Stmt.h"
#include "convopt/Target/Gpu.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <set>
#include <string>
#include <vector>

namespace convopt {

struct LowerOptions {
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
  /// What host code of C linkage begins with.
  const char *linkage() const {
    return isC || isExternC ? "extern \"C\" " : "";
  }
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

/// One of several nests that run one after the other, with its versions.
struct SequencePart {
  CheckedNest nest;     // mapped
  LowerOptions options; // with the name of the part
  std::vector<KernelVersion> versions;
  LaunchLoops around; // of the whole
};

/// An array of the file in constant memory.
struct ConstantArray {
  std::string elementType, name;
  int64_t elements;
};

/// A kernel of the file and what launches it, each after what it calls.
struct KernelFunctions {
  Nest nest; // what the kernel runs, with all names
  std::vector<ConstantArray> constants;
  std::vector<program::FunctionDefinition> packing; // of its buffers
  std::vector<program::FunctionDefinition> kernel;
  std::set<unsigned> tensorRanks; // of boxes that TMA copies
  std::vector<program::FunctionDefinition> launcher;
};

/// What is added to a file for a nest.
struct LoweredNest {
  Nest nest;
  /// One, of sums that blocks share two, and none where parts compute the nest.
  std::vector<KernelFunctions> kernels = {};
  /// What calls the launchers of those or of parts, unless it is one.
  std::vector<program::FunctionDefinition> launcher = {};
  /// What calls or launches of the source's function become; nothing of a
  /// version, of a part or with LowerOptions::launcher.
  std::vector<program::FunctionDefinition> replacement = {};
};

/// What a kernel has to know of others in the file.
struct OthersOfFile {
  std::vector<std::string> launchers; // of versions, to be tried first
  int64_t constantBytes;              // that they leave
};

/// Refuses (rule "Mapping") a nest that is not mapped, (rule "limit") what
/// \p gpu cannot run, and (rule "structure") what the added code has no way to
/// name or take, and a version with leastBlocks whose sums blocks share.
llvm::Expected<LoweredNest> lowerNest(const CheckedNest &nest, const Gpu &gpu,
                                      const LowerOptions &options,
                                      const OthersOfFile &others);

/// What calls the launchers of \p parts, which compute \p whole in their order,
/// in the loops around them. \p whole is not mapped. Refuses (rule "structure")
/// as lowerNest.
llvm::Expected<LoweredNest> lowerSequence(const CheckedNest &whole,
                                          llvm::ArrayRef<SequencePart> parts,
                                          const Gpu &gpu,
                                          const LowerOptions &options);

/// Whether kernels of \p nest have arrays in constant memory.
bool usesConstants(const Nest &nest);

/// Whether \p e, of a launcher, says that it refuses: its operands are the
/// error and what is needed.
bool isRefusal(const program::Expr &e);

} // namespace convopt

#endif // CONVOPT_LOWER_LOWER_H
