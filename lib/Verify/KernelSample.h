//===- KernelSample.h - What sizes make a kernel do -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_KERNELSAMPLE_H
#define CONVOPT_LIB_VERIFY_KERNELSAMPLE_H

#include "BranchSample.h"
#include "NestSample.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Target/Gpu.h"
#include "convopt/Verify/Verify.h"

namespace convopt::verify {

/// A kernel in a form in which it is fast to see what many sizes make of it.
class KernelSample {
public:
  KernelSample(const LaunchedKernel &kernel, const Gpu &gpu);

  /// Whether the kernel's own launcher takes the sizes.
  bool takes(const Shape &shape) const;
  /// Whether a block has room for what it stages.
  bool hasRoom(const Shape &shape) const;
  /// Whether it is known not to. Sizes of a part that are no argument are not.
  bool refuses(const Shape &shape) const;

  /// Adds what the kernel, number \p k, does at \p shape: which of its two
  /// instances runs, how often loops over blocks and around copies do, which
  /// ways threads go.
  void addFeatures(const Shape &shape, int64_t k, Features &seen) const;

  /// Of loops of the original nest, how many iterations take a second one of a
  /// loop over blocks, or one more than a loop's copies hold at once.
  const std::set<std::pair<unsigned, int64_t>> &seconds() const { return aims; }
  /// What blocks have a part of: how much in all, over sizes, and one block.
  const std::vector<std::pair<IndexExpr, int64_t>> &blocks() const {
    return ofBlock;
  }
  /// The same for loops that no tile divides, to run many times.
  const std::set<std::pair<unsigned, int64_t>> &longs() const { return longer; }
  /// What sizes satisfy where copies move vectors; see alignmentOf.
  const std::vector<Constraint> &alignment() const { return aligned; }
  /// Of loops of the original nest, how many iterations one thread has at most.
  const std::map<unsigned, int64_t> &tiles() const { return ofThread; }
  /// What one comparison of the kernel, number \p k, may keep from a branch.
  Features decisions(int64_t k) const;
  /// How far \p shape is from what Seen::Border wants of the kernel, number
  /// \p k; of nothing where its launcher does not take the sizes.
  std::map<Feature, int64_t> distances(const Shape &shape, int64_t k) const;
  const std::vector<Assumption> &facts() const { return kernel.facts; }
  const Nest &nest() const { return kernel.nest; }
  bool isForManyBlocks() const { return kernel.leastBlocks != 0; }
  unsigned part() const { return kernel.part; }

private:
  struct Limit {
    FlatExpr expr;
    int64_t divisor;
    std::optional<int64_t> constant;
  };
  struct Strip {
    unsigned loop, slot;
    bool isTile; // its iterations are threads or unrolled
    bool ofBlocks;
    int64_t depth;        // boxes that a copy in the loop holds at once
    bool isPlain = false; // runs as often as sizes say
    std::vector<Limit> lower = {}, upper = {};
  };

  const LaunchedKernel &kernel;
  const Gpu &gpu;
  std::vector<Constraint> aligned;
  std::vector<Strip> strips; // outer loops before inner ones
  std::set<std::pair<unsigned, int64_t>> aims, longer;
  std::map<unsigned, int64_t> ofThread;
  std::vector<std::pair<IndexExpr, int64_t>> ofBlock;
  BranchSample branches;

  void readLoop(const Loop &l);
  void aimAt(const Loop &l, int64_t depth);
  void readTiles();
  std::optional<KernelLaunch> launchFor(const Shape &shape) const;
  enum class Place { First, Middle, Last };
  void walk(Place place, int64_t instance, Values values, Features &seen) const;
  llvm::StringMap<int64_t> sizesByName(const Shape &shape,
                                       bool isAligned) const;
  void addBranches(const Shape &shape, int64_t instance, Features &seen) const;
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_KERNELSAMPLE_H
