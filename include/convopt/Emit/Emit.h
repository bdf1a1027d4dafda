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

#include "convopt/Lower/Lower.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace convopt {

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
                                   const LowerOptions &options,
                                   llvm::ArrayRef<KernelVersion> versions = {});

/// The same of a nest that \p parts compute in their order: each has kernels
/// and a launcher, and `<name><suffix>_launch` calls those in turn, in the
/// loops around them. What one leaves for the next stays on the device. \p
/// whole is not mapped.
llvm::Expected<AddedText> emitSequence(const CheckedNest &whole, const Gpu &gpu,
                                       const LowerOptions &options,
                                       llvm::ArrayRef<SequencePart> parts);

/// A launcher of the general kernel alone, called LowerOptions::launcher,
/// beside what emitCuda makes of it and its versions: verification runs the
/// kernel for sizes that versions take. Empty where it needs functions of its
/// own.
llvm::Expected<std::string> emitLauncher(const CheckedNest &nest,
                                         const Gpu &gpu,
                                         const LowerOptions &options);

/// The parts of emitCuda's text that do not name the naive function.
struct KernelText {
  std::string includes; // that both need
  std::string device;   // helper functions and the kernel
  std::string launcher; // `<name><suffix>_launch` and its helper functions
};

/// Refuses what emitCuda refuses.
llvm::Expected<KernelText> emitKernel(const CheckedNest &nest, const Gpu &gpu,
                                      const LowerOptions &options);

/// C for after the naive function, where that is local to its file: what the
/// added code calls in its place.
std::string exportOriginal(const Nest &nest, const LowerOptions &options);

} // namespace convopt

#endif // CONVOPT_EMIT_EMIT_H
