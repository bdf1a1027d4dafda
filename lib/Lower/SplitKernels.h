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
/// in memory of the device, which the launcher takes. Where the loop is atomic,
/// over threads or blocks, one stores the first values and the other adds to
/// them.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_SPLITKERNELS_H
#define CONVOPT_LIB_LOWER_SPLITKERNELS_H

#include "Mapping.h"
#include "convopt/Legality/CheckedNest.h"
#include "convopt/Program/Stmt.h"

namespace convopt::lower {

struct Lowered;

/// One of the two, and what its functions' names have besides.
struct SplitKernel {
  Nest nest;
  std::string name; // "_parts"
};

/// Both kernels of \p whole, whose \p mapping has such a loop, in the order in
/// which they are launched, for checkKernels to check. They have the source's
/// arguments, and after them the parts, an array for each sum, which the one
/// writes and the other reads; none where the loop is atomic. \p reserved are
/// names that the file uses.
std::array<SplitKernel, 2> splitKernels(const CheckedNest &whole,
                                        const Mapping &mapping,
                                        llvm::ArrayRef<std::string> reserved);

/// The same of a loop that is atomic.
std::array<SplitKernel, 2> atomicKernels(const CheckedNest &whole,
                                         const Mapping &mapping);

// What the nests of both are made of.

/// Drops buffers that nothing uses any more.
void dropUnusedBuffers(Nest &nest);
/// \p before with sums that begin with what changes none, unless that is what
/// they begin with.
Body beginningAnew(const Body &before, const Nest &nest, const Split &split);
/// The body of a nest whose threads run \p thread, for each iteration of
/// \p inner, the innermost loops of the grid.
Body mapped(const Nest &nest, const Mapping &m, Body thread,
            llvm::ArrayRef<std::shared_ptr<Loop>> inner);
/// The same of the nest \p to whose threads have the sums. With one sum, whose
/// parts \p round adds up, each thread has one element of it.
Body ofSums(Nest &to, const Mapping &m, const Loop &round,
            const DependenceAnalysis &dependences, Body thread);

/// `conv_tiled_launch`, which takes the memory of the parts and has the kernels
/// of \p whole launched, in one stream.
program::FunctionDefinition lowerSplitLauncher(const Lowered &whole);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_SPLITKERNELS_H
