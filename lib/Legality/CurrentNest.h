//===- CurrentNest.h - A transformed nest as isl sees it --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The nest to check, joined with the original that its statements are from.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LEGALITY_CURRENTNEST_H
#define CONVOPT_LIB_LEGALITY_CURRENTNEST_H

#include "Dependence/Impl.h"
#include "convopt/Legality/Legality.h"

namespace convopt {

/// One place in the current tree where instances of an original statement run.
struct Running {
  const Occurrence *occurrence;
  unsigned original; // index into Impl::statements
  LoopSpace space;   // of the current loops
  Domain domain;
  isl::multi_aff instance; // current loops to original iterators

  const Statement &statement() const { return *occurrence->statement; }
  const Place &place() const { return occurrence->place; }
};

/// The instances that a dependence relates, by the places where they run now:
/// a map from source's loops to sink's loops that is not empty.
struct DependentPairs {
  const Relation *relation;
  const Running *source, *sink;
  isl::map pairs;
  /// By common current loop: known to have one value in every pair, so that
  /// nothing need be asked of it.
  std::vector<bool> equal;
};

struct CurrentNest {
  const DependenceAnalysis::Impl &original;
  const Nest &nest;
  LegalityOptions options;
  Tree tree;
  std::vector<Running> running;            // program order
  std::vector<DependentPairs> dependences; // set once Instances holds

  /// By loop over threads or blocks, the sums whose parts these may add up
  /// (splittableSums), the order of the terms being free to change.
  std::map<unsigned, std::vector<unsigned>> splitSums = {};

  bool isSplit(unsigned array, const Loop &loop) const {
    auto found = splitSums.find(loop.id);
    return found != splitSums.end() && llvm::is_contained(found->second, array);
  }
  const OriginalStatement &originalOf(const Running &r) const {
    return original.statements[r.original];
  }
  /// \p access of the original statement as \p r has it now.
  const Access &now(const Running &r, const Access *access) const;
};

/// \p occurrence by the number of its statement. Refuses (rule "Instances") a
/// number that is none of the original's, and (rule "analysis") an instance
/// that is not affine.
llvm::Expected<Running> runningAt(const CurrentNest &current,
                                  const Occurrence &occurrence);
/// Whether the statement of \p r is as the original has it.
bool isOriginal(const CurrentNest &current, const Running &r);

/// Joins every statement of \p nest with its original. Refuses what runningAt
/// refuses, and (rule "Instances") a statement that the original has otherwise.
llvm::Error joinWithOriginal(CurrentNest &current);

/// Pairs of iterations that may have the same value of original iterator
/// \p i: the equalities that follow for the current loops, such as
/// `y_o = y_o'` from `16 * y_o + y_i = 16 * y_o' + y_i'`. Only the loops that
/// make the iterator take part, so it costs little, and questions about pairs
/// are cheap once it is known.
isl::map equalLoops(const Running &a, const Running &b, unsigned i);

/// Fills CurrentNest::splitSums.
void findSplitSums(CurrentNest &current);

/// Fills CurrentNest::dependences.
void locateDependences(CurrentNest &current);

/// The loops of \p r to the iteration of the original that it runs.
isl::map instances(const Running &r);

// The rules. Each assumes that those before it hold.
/// The statements \p repeated, of the original, may run several times.
llvm::Error checkInstances(const CurrentNest &current,
                           llvm::ArrayRef<unsigned> repeated = {});
llvm::Error checkOrder(const CurrentNest &current);
llvm::Error checkMapping(const CurrentNest &current);
llvm::Error checkStorage(const CurrentNest &current);
/// The part of Storage that is about buffers.
llvm::Error checkStaging(const CurrentNest &current);

} // namespace convopt

#endif // CONVOPT_LIB_LEGALITY_CURRENTNEST_H
