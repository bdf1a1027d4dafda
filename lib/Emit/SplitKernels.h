//===- SplitKernels.h - The kernels of sums that blocks share ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop over blocks that stands within what one thread runs (Nest/SplitSum.h)
/// takes two kernels: one adds up the parts, the other adds these up and runs
/// the rest. Each is a mapped nest of its own, and what they hand over an array
/// in memory of the device, which the launcher takes.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_SPLITKERNELS_H
#define CONVOPT_LIB_EMIT_SPLITKERNELS_H

#include "Mapping.h"
#include "convopt/Program/Stmt.h"

namespace convopt::emit {

struct Lowered;

/// The nests of both kernels. They have the source's arguments, and after them
/// the parts, an array for each sum, which the one writes and the other reads.
struct SplitKernels {
  Nest parts, sums;
};

/// Both nests of \p nest, whose \p mapping has such a loop. \p parallel are the
/// loops of the source that carry no dependence; \p reserved are names that the
/// file uses.
SplitKernels splitKernels(const Nest &nest, const Mapping &mapping,
                          llvm::ArrayRef<unsigned> parallel,
                          llvm::ArrayRef<std::string> reserved);

/// `conv_tiled_launch`, which takes the memory of the parts and has the kernels
/// of \p whole launched, in one stream.
program::FunctionDefinition lowerSplitLauncher(const Lowered &whole);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_SPLITKERNELS_H
