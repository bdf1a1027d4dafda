//===- SharedState.h - What threads wait for at a point ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_SHAREDSTATE_H
#define CONVOPT_LIB_PROGRAM_SHAREDSTATE_H

#include "Sum.h"

namespace convopt::program {

/// A part of shared memory. An array is one place, unless its first subscript
/// is `box % count`, the same for all threads: then it holds `count` boxes,
/// which have numbers. Elements of a box are not told apart.
struct SharedPlace {
  const Variable *array = nullptr;
  std::optional<Sum> box = {}; // none: any
  int64_t count = 0;           // of boxes; 0: of barriers, box is the subscript

  bool mayBe(const SharedPlace &other) const;
  friend bool operator==(const SharedPlace &a, const SharedPlace &b) {
    return a.array == b.array && a.count == b.count && a.box == b.box;
  }
};

/// `left < right`
struct Limit {
  Sum left, right;

  /// Whether \p other follows: its sides are as far apart, or farther.
  bool implies(const Limit &other) const;
};

/// An access that is not over for all threads.
struct Pending {
  enum Kind { Copy, Write, Read } kind;
  SharedPlace place;
  /// None of it where the number of the box is not below this.
  std::optional<Sum> end = {};
  std::optional<SharedPlace> barrier = {}; // of an engine's copy
  unsigned groups = 0; // of another one: ended since it was started

  friend bool operator==(const Pending &a, const Pending &b) {
    return a.kind == b.kind && a.place == b.place && a.end == b.end &&
           a.barrier == b.barrier && a.groups == b.groups;
  }
};

/// A box that is in its place, or under way to it, if it is below `end`.
struct Filled {
  SharedPlace place;
  std::optional<Sum> end = {};

  friend bool operator==(const Filled &a, const Filled &b) {
    return a.place == b.place && a.end == b.end;
  }
};

template <typename T> void addOnce(std::vector<T> &all, const T &one) {
  if (!llvm::is_contained(all, one))
    all.push_back(one);
}

/// What is known at a point of a program of its shared memory.
struct SharedState {
  bool isReached = true;
  std::vector<Pending> pending; // what may be
  std::vector<Filled> filled;   // what is

  /// All threads of the block meet.
  void meet();
  /// The copies since the last time are a group.
  void commit();
  /// The groups but the last ones have arrived, for the thread that waits.
  void waitPrior(int64_t groups);
  /// What an engine brings is there for whoever waits for it.
  void waitBulk(const SharedPlace &barrier);
  /// Where \p other comes in as well: pending is what may be in either, filled
  /// what is in both. \p here does not hold in \p other.
  void join(const SharedState &other, const Limit *here = nullptr);
  /// Has \p value stand for \p v; none: \p v has no value any more.
  void leave(const VariableRef &v, const std::optional<Sum> &value);
};

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_SHAREDSTATE_H
