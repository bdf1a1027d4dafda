//===- ThreadMapping.h - A kernel's threads as loops ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_THREADMAPPING_H
#define CONVOPT_LIB_FRONTEND_THREADMAPPING_H

#include "NestBuilder.h"

namespace convopt {

/// What launches in the same file say about the grid: for each dimension its
/// extent over the kernel's parameters, where every launch agrees.
struct LaunchFacts {
  std::array<std::optional<IndexExpr>, 3> grid;
  /// The same of blocks, where they are numbers.
  std::array<std::optional<int64_t>, 3> block;
  /// Dimensions for which a launch says something that is not known here, such
  /// as a size that the kernel does not take.
  std::array<bool, 3> isUnknown{};
};

/// Gives the same facts each time; asked where a nest needs them.
/// What the launches in the file say; of grids only where \p ofGrid, which
/// makes parts of arguments that nothing else reads parameters of the nest.
using GetLaunchFacts = llvm::function_ref<LaunchFacts(bool ofGrid)>;

/// Wraps the body of a kernel in the loops that its threads stand for, and
/// fills the launch of the function. Extents come from guards, from the strides
/// of arrays, or from \p launches; where none says, refuses.
llvm::Error mapThreads(NestBuilder &b, GetLaunchFacts launches);

/// Assumes that what the threads' indices are divided by is positive where no
/// loop and no array says so: in `(i / C) * C + i % C` it is gone.
void assumeThreadDivisors(NestBuilder &b);

/// Orders the threads' loops as the output's dimensions are.
void orderThreadLoops(Nest &nest);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_THREADMAPPING_H
