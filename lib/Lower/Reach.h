//===- Reach.h - Where the accesses to an array begin and end ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The offset of an access is a sum. Loops that no term, bound or guard joins
/// run independently of one another, so that the greatest offset is the sum of
/// what each group of joined loops adds at most, and the least likewise. The
/// loops of a group are few, such as an output row and a row of the filter.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_REACH_H
#define CONVOPT_LIB_LOWER_REACH_H

#include "convopt/Nest/Nest.h"

namespace convopt::lower {

/// An end of what is touched of an array.
enum class End : uint8_t { First, Last };

/// Loops that depend on one another, outermost first but for the innermost,
/// and what they add to an offset where their guards hold.
struct Group {
  std::vector<const Loop *> loops;
  IndexExpr part;
  std::vector<Constraint> guards;
  bool isSearched = true; // from an end of the innermost

  friend bool operator==(const Group &a, const Group &b) {
    return a.loops == b.loops && a.part == b.part && a.guards == b.guards &&
           a.isSearched == b.isSearched;
  }
};

/// An access touches something where \p where holds, and each group has an
/// iteration: its end is at \p rest and what the groups add.
struct Reach {
  std::vector<Constraint> where;
  IndexExpr rest;
  std::vector<Group> groups;
  /// What holds where others reach as far, each of which may do in its place.
  std::vector<std::vector<Constraint>> others = {};
};

/// Where \p end of the accesses to \p array is that run, each once.
std::vector<Reach> reachesOf(const Nest &nest, End end, unsigned array);

/// Whether \p array is touched to \p end of what it is taken to have, if at
/// all: one of \p all reaches it, and others run only where that does.
bool isReached(const Nest &nest, End end, unsigned array,
               llvm::ArrayRef<Reach> all);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_REACH_H
