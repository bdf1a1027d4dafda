//===- LaunchParts.h - What a launcher is made of ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_LAUNCHPARTS_H
#define CONVOPT_LIB_EMIT_LAUNCHPARTS_H

#include "HostBuffers.h"
#include "HostSlices.h"

namespace convopt::emit {

//===----------------------------------------------------------------------===//
// Checks (LaunchChecks.cpp), each a statement that returns an error
//===----------------------------------------------------------------------===//

/// Sizes that do not fit the kernel's int.
std::string printNarrowing(const Context &c);
/// Extents so large that an index of the last tile would pass int.
std::string printRangeChecks(const Context &c, const Names &names);
/// The nest's assumptions: \p aboutUnsigned those that say what the domain is,
/// as an unsigned size wraps where they do not hold, or the others.
std::string printAssumptions(const Context &c, const Names &names,
                             bool aboutUnsigned);
/// What the rest of the launcher takes for granted.
std::string printFacts(const Context &c, const Names &names);
/// `a <= 0 || b <= 0` over the extents of the loops of host and grid, which are
/// sizes.
std::string emptyDomain(const Context &c, const Names &names);
/// Sizes that pass what the file has of constant memory.
std::string printConstantLimits(const Context &c,
                                llvm::ArrayRef<HostBuffer> filled);

//===----------------------------------------------------------------------===//
// Launches (LaunchLoops.cpp)
//===----------------------------------------------------------------------===//

/// The launcher's variables.
struct LaunchNames {
  std::string stream, grid, block, bytes, kernel, error;
};

/// Whether the grid differs from launch to launch.
bool gridVaries(const Context &c);
/// `const dim3 grid(...);` of one of them.
std::string printGrid(const Context &c, const Names &names,
                      const std::string &grid);

/// The loops of the host with all that stands in them: memory that is taken,
/// filled and given back, streams, and the launch. Ends with a return.
std::string printLaunches(const Context &c, Names &names,
                          llvm::ArrayRef<ArrayArgument> arrays,
                          llvm::ArrayRef<HostBuffer> filled,
                          llvm::ArrayRef<HostSlice> slices,
                          const LaunchNames &own);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_LAUNCHPARTS_H
