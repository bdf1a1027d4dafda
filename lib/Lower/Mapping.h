//===- Mapping.h - How a nest lies on grid and block ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes a mapped nest apart into grid loops, block loops and what one thread
/// runs (docs/Design.md, Emission).
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_MAPPING_H
#define CONVOPT_LIB_LOWER_MAPPING_H

#include "convopt/Nest/Nest.h"
#include "convopt/Target/Gpu.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/Error.h"

namespace convopt::lower {

/// What the host does in each iteration of one of its loops, or before them.
/// The innermost launches the kernel.
struct HostLevel {
  const Loop *loop = nullptr;            // none: outside of every loop
  std::vector<const Copy *> copies = {}; // to global and constant memory
};

/// The loop over threads or blocks that add up parts of the same sums
/// (Nest/SplitSum.h).
struct Split {
  const Loop *loop;
  std::vector<unsigned> sums;

  bool isOverBlocks() const { return isGrid(loop->kind); }
  /// Whether one kernel leaves something that another one goes on with.
  bool takesKernels() const { return isOverBlocks() || loop->isAtomic; }
};

struct Mapping {
  std::vector<HostLevel> host; // the first is outside of every loop
  /// Per dimension x, y, z; outermost (slowest) first.
  std::array<std::vector<const Loop *>, 3> grid;
  std::array<const Loop *, 3> block{};
  std::array<int64_t, 3> blockDim{1, 1, 1}; // threads
  const Body *thread = nullptr;             // what one thread runs
  std::optional<Split> split;               // within that
  int64_t sharedPerBlock = 0; // bytes that a block has without asking

  bool takesKernels() const { return split && split->takesKernels(); }
  int64_t threads() const { return blockDim[0] * blockDim[1] * blockDim[2]; }
  /// The loops that the host runs, outermost first.
  std::vector<const Loop *> hostLoops() const;
};

/// \p l with those of its upper bounds that are the same for every launch.
Loop acrossLaunches(const Loop &l);
/// Whether the extent of \p l may differ from launch to launch.
bool variesByLaunch(const Loop &l);

/// The kernel's threads add parts of sums to arrays in memory by atomic
/// operations, after \p mapping: a loop around what one thread runs is atomic.
bool addsAtomically(const Mapping &mapping);

/// Refuses a nest that is not mapped (rule "Mapping") and one that \p gpu
/// cannot launch (rule "limit").
llvm::Expected<Mapping> findMapping(const Nest &nest, const Gpu &gpu);

/// \p nest with buffers for the parts of the sums that threads share by
/// \p mapping, but for those that lanes of a warp exchange.
Nest withPartsOfSums(const Nest &nest, const Mapping &mapping);

/// The constraints of \p l's upper bounds that constantUpper does not cover.
std::vector<Constraint> partialConstraints(const Loop &l);

/// The blocks along dimension \p d, where they are constant; those of the
/// largest launch, where it varies.
std::optional<int64_t> constantGrid(const Nest &nest, const Mapping &m,
                                    unsigned d);

/// "x", "y" or "z".
const char *dimensionName(unsigned d);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_MAPPING_H
