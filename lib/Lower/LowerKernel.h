//===- LowerKernel.h - From a mapped nest to a program ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_LOWERKERNEL_H
#define CONVOPT_LIB_LOWER_LOWERKERNEL_H

#include "HostCode.h"
#include "KernelBody.h"

namespace convopt::lower {

/// A mapped nest, how it lies on the grid, what is called how, and its kernel.
/// Its parts refer to one another, so that it stays where it was made.
struct Lowered {
  const Nest nest, source;
  Mapping mapping = {};
  const LowerOptions options;
  Names names;       // of host code
  Names kernelNames; // of the kernel
  HelperNames helpers = {};
  Context context;
  program::Kernel kernel = {};
  /// As its definition has them.
  std::vector<FunctionDefinition::Parameter> kernelParameters = {};
  /// In place of the kernel, those that add up parts of sums that blocks share
  /// and the sums (SplitKernels.h).
  std::vector<std::unique_ptr<Lowered>> split = {};

  Lowered(Nest n, Nest s, const Gpu &gpu, const LowerOptions &o)
      : nest(std::move(n)), source(std::move(s)), options(o),
        names(nest, options.reserved),
        kernelNames(names), context{nest,    source, mapping, gpu,
                                    options, {},     {}} {}
  Lowered(const Lowered &) = delete;

  /// Itself, or the two that it is split into, in the order of their launches.
  std::vector<Lowered *> kernels();
};

/// What host code of a nest needs that \p parts compute: all but its kernel.
llvm::Expected<std::unique_ptr<Lowered>>
lowerHost(const CheckedNest &whole, llvm::ArrayRef<SequencePart> parts,
          const Gpu &gpu, const LowerOptions &options);

/// Of that, `<name><suffix>_launch`, which calls those of \p parts in turn.
FunctionDefinition lowerSequenceLauncher(const Lowered &whole,
                                         llvm::ArrayRef<SequencePart> parts);

/// Refuses (rule "Mapping", "limit", "structure") what emitCuda refuses.
/// \p constantBytes of constant memory are this kernel's.
llvm::Expected<std::unique_ptr<Lowered>> lower(const CheckedNest &staged,
                                               const Gpu &gpu,
                                               const LowerOptions &options,
                                               int64_t constantBytes);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_LOWERKERNEL_H
