//===- PlannedFile.h - A source and what becomes of it ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_PLANNEDFILE_H
#define CONVOPT_TOOLS_CONVOPT_PLANNEDFILE_H

#include "Options.h"
#include "convopt/Emit/Emit.h"
#include "convopt/Frontend/Frontend.h"
#include "convopt/Schedule/Fission.h"
#include "convopt/Schedule/PlannedKernel.h"
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
  EmitOptions emitOptions() const;
};

/// Those of one file, all with the same text: nests of one function, where
/// several follow one another.
using PlannedNests = std::list<PlannedFile>;

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_PLANNEDFILE_H
