//===- NestSample.h - What sizes make a nest do -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_NESTSAMPLE_H
#define CONVOPT_LIB_VERIFY_NESTSAMPLE_H

#include "FlatExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace convopt::verify {

/// Something that verification should see once: its kind, which of that kind,
/// and what it does.
enum class Seen : int64_t {
  Runs,       // a statement
  Holds,      // a condition of a guard, by the least or by more
  Fails,      // the same
  Stores,     // a statement whose result stays
  Trips,      // a loop, so often (tripClass)
  Bounds,     // a loop, by this one of its bounds
  Size,       // a parameter, 0, 1, 2 or more
  Apart,      // two parameters, of different values
  Tight,      // an assumption that only just holds, or fails
  Single,     // a filter of several elements has one place
  Whole,      // loops that an output depends on run in multiples of tiles
  Inner,      // filters wider than 3 with outputs to all sides, by a kernel
  Kernel,     // one of the kernels ran
  InKernel,   // one of them, where one of the first three happened
  Instance,   // a kernel with, or without, vectors
  Branch,     // a branch of such an instance, one of its two ways
  Way,        // a guard of a kernel, one of its two ways
  First,      // a branch of a kernel that one comparison is first to deny
  Alone,      // a branch of a kernel that one comparison alone keeps from it
  Edge,       // a branch of a kernel, where one comparison decides by the least
  Border,     // the same of a branch between copies of loops, which it denies
  PlainEdge,  // the same without strides and dilations
  Stepped,    // a way of a kernel's branch, with a stride, dilation or padding
              // above 1
  Value,      // a kernel with data below zero, 0, 1, 2, above, or large
  Given,      // the sizes of an instance that the file makes of a template
  KernelLoop, // one of its loops did that
  Repeated,   // a way of a kernel's branch, where a loop does not run just once
};
/// What loops of a kernel do.
enum class KernelLoop : int64_t {
  Second,  // more than one iteration
  Blocks,  // the same of a loop over blocks, the last of which is not full
  Whole,   // blocks that are all full, two of them or more
  Wraps,   // more than its copies hold at once
  Long,    // more than the few of a loop that no tile divides
  Full,    // a whole tile of iterations
  Partial, // less
};
/// Of `Tight`: an assumption that fails by the least, and no other does.
constexpr int64_t failsAlone = -2;
using Feature = std::array<int64_t, 3>;
using Features = std::set<Feature>;

inline Feature feature(Seen kind, int64_t which = 0, int64_t how = 0) {
  return {static_cast<int64_t>(kind), which, how};
}

/// A nest with its expressions in a form that is fast to walk at many sizes.
class NestSample {
public:
  explicit NestSample(const Nest &nest);

  /// Walks some iterations of each loop, its ends among them, and adds what
  /// happens to \p seen.
  void walk(Values values, Features &seen) const;

  /// Whether the sizes are such as callers have. Where guards keep a subscript
  /// from passing an end, the next element that its loops may come to is kept
  /// from it, and not, by a stride, one after that; what no guard is about,
  /// such as a filter under the guard of its image, is touched as far as loops
  /// go.
  bool isSnug(Values values) const;

private:
  /// Of a guard, or of a guarded read.
  struct Condition {
    unsigned id;
    bool isOfSizes; // not of loops
  };
  /// Of one dimension of an array.
  struct Reach {
    int64_t most = -1;           // the last that is touched
    std::set<int64_t> kept = {}; // what guards keep from being
    int64_t step = 0;
  };
  using Reaches = std::map<std::pair<unsigned, size_t>, Reach>;
  using Conjunction = std::vector<Constraint>;

  Nest nest;                                  // as it is walked
  std::vector<std::set<unsigned>> guardLoops; // of each condition
  // By what the nest has.
  llvm::DenseMap<const IndexExpr *, FlatExpr> exprs;
  llvm::DenseMap<const IndexExpr *, int64_t> steps; // limitedStep
  llvm::DenseMap<const Constraint *, Condition> conditionsOf;

  int64_t limitedStep(const IndexExpr &subscript) const;
  std::optional<int64_t> valueOf(const IndexExpr &e,
                                 const Values &values) const {
    return exprs.find(&e)->second.evaluate(values);
  }
  bool holds(const Constraint &c, const Values &values) const;
  bool holds(const Conjunction &all, const Values &values) const;
  bool holds(const Conjunction &all, const Values &values,
             Features &seen) const;
  bool isMissing(const Conjunction &all, const Values &values) const;
  std::optional<int64_t> limitOf(const std::vector<Bound> &limits, bool isUpper,
                                 const Values &values, unsigned &active) const;
  void walk(const Body &body, Values &values, Features &seen) const;
  void walkLoop(const Loop &loop, Values &values, Features &seen) const;
  void reach(const Body &body, Values &values, bool runs,
             Reaches &reaches) const;
  void reach(const Access &access, const Conjunction &guard,
             const Values &values, bool runs, Reaches &reaches) const;
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_NESTSAMPLE_H
