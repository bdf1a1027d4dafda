//===- LaunchSizes.h - Sizes that a kernel's launch gives -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel without a bounds check computes one output for each thread of its
/// launch, however many these are. Where nothing else says so, their number is
/// an argument of the nest, which host code takes from the launch that the
/// naive kernel is given. Argument::source of such an argument has CUDA's own
/// names, `::gridDim.x * ::blockDim.x`, which no parameter can be meant by.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_LAUNCHSIZES_H
#define CONVOPT_NEST_LAUNCHSIZES_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The Argument::source of the number of blocks along \p dimension, 0 for x.
std::string blocksOfLaunch(unsigned dimension);
/// Of the number of threads of a block along \p dimension.
std::string blockOfLaunch(unsigned dimension);
/// Of the number of threads of the blocks along dimension \p blocks, which are
/// filled along dimension \p threads.
std::string threadsOfLaunch(unsigned blocks, unsigned threads);

/// Whether \p a is such a number, of which nothing can be assigned.
bool isOfLaunch(const Argument &a);
/// The source of such an argument, of a launch of \p grid and \p block.
std::string sourceInLaunch(const Argument &a, llvm::StringRef grid,
                           llvm::StringRef block);

} // namespace convopt

#endif // CONVOPT_NEST_LAUNCHSIZES_H
