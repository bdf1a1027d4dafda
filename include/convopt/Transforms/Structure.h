//===- Structure.h - What passes ask of a tree ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_STRUCTURE_H
#define CONVOPT_TRANSFORMS_STRUCTURE_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

struct LoopPath {
  const Loop *loop;               // into the nest that was searched
  std::vector<NodeRef> enclosing; // loops and guards, outermost first
};

/// The loop with identity \p id; refuses (rule "structure") where there is
/// none in the tree any more.
llvm::Expected<LoopPath> findLoop(const Nest &nest, unsigned id);

/// \p head and the loops inside it for as long as a loop's body is exactly
/// the next loop: the perfectly nested band that \p head begins.
std::vector<const Loop *> perfectBand(const Loop &head);

/// The band that is all of \p nest; none where it is more than one loop.
std::vector<const Loop *> outermostBand(const Nest &nest);

/// The same where guards may stand between the loops, around just the next one.
std::vector<const Loop *> guardedBand(const Loop &head);

/// Whether \p body sets the local \p array, a scalar, whenever it uses it: by
/// an assignment that comes first, or in each of the loops and guards that come
/// before one. One that was expanded has \p dims dimensions, and is accessed at
/// the same place everywhere.
bool setsFirst(const Body &body, unsigned array, size_t dims = 0);

/// `ceil(expr / divisor)` where that is constant once definitions of
/// parameters are in place.
std::optional<int64_t> constantValue(const Nest &nest, const Bound &b);
/// The value of the lower bound where all of it is constant.
std::optional<int64_t> constantLower(const Nest &nest, const Loop &l);
/// The least constant among the upper bounds.
std::optional<int64_t> constantUpper(const Nest &nest, const Loop &l);
/// How many iterations \p l has at most, where both of these are known.
std::optional<int64_t> constantTrips(const Nest &nest, const Loop &l);
/// The greatest iteration of the loop \p v where both are known and none is
/// negative.
std::optional<int64_t> greatestIteration(const Nest &nest, Var v);
/// dropFromDividends by the iterations of the loops of \p nest: a tile of a
/// fused loop that divides its rows lies within one.
IndexExpr dropFromDividends(const Nest &nest, const IndexExpr &e,
                            llvm::function_ref<bool(Var)> isDropped);

/// \p nest with what is known of its blocks' indices, those of loops over the
/// grid that have one iteration: the nest that is emitted. Its blocks may have
/// fewer threads than those of \p nest.
Nest withKnownIndices(const Nest &nest);

/// \p nest with names of their own for loops that run what is not the value of
/// the statements' iterator, as skewed ones do: where both are meant, a variable
/// is one of them.
Nest withOwnLoops(const Nest &nest);

/// Whether the compiler of the emitted code knows the value of \p e: it uses no
/// loop, and no parameter but of the template.
bool isCompileTime(const Nest &nest, const IndexExpr &e);
/// The same of every bound of \p l.
bool hasCompileTimeBounds(const Nest &nest, const Loop &l);

/// \p nest with the loop \p id replaced by \p replacement.
Nest replaceLoop(const Nest &nest, unsigned id, const Body &replacement);

/// Whether \p s runs in the iterations of its original loops as they are.
bool isOriginal(const Statement &s);
/// The loops that \p e uses, by id.
std::set<unsigned> loopsOf(const IndexExpr &e);

/// Loops of an original nest, by id, as subscripts use them.
struct LoopsByUse {
  std::set<unsigned> parallel; // in those of an output
  /// In one of an input's with both a parallel loop and another: an output's
  /// place in the image, and the filter's in its window.
  std::set<unsigned> window;
};
LoopsByUse loopsByUse(const Nest &nest);

/// `'y', 'x' and 'n'`.
std::string quoteLoops(const Nest &nest, llvm::ArrayRef<unsigned> loops);

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_STRUCTURE_H
