//===- Arrivals.h - What is read from shared memory is there ----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_ARRIVALS_H
#define CONVOPT_LIB_PROGRAM_ARRIVALS_H

#include "Sum.h"
#include "Uniformity.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace convopt::program {

/// What accesses of a block's threads to shared memory wait for. An array is
/// one place, unless its first subscript is `box % count`, the same for all
/// threads: then it holds `count` boxes, which have numbers. Elements of a box
/// are not told apart.
class Arrivals {
public:
  Arrivals(const Kernel &kernel, const Uniformity &uniformity);

  /// The first statement that reads what may be under way, what no barrier
  /// stands before, or another box than that of its number, or that writes
  /// what may still be read, and which of these; none: null.
  std::pair<const Stmt *, std::string> missing() const {
    return {problem, why};
  }

private:
  struct Place {
    const Variable *array = nullptr;
    std::optional<Sum> box = {}; // none: any
    int64_t count = 0; // of boxes; 0: of barriers, box is the subscript

    bool mayBe(const Place &other) const;
    friend bool operator==(const Place &a, const Place &b) {
      return a.array == b.array && a.count == b.count && a.box == b.box;
    }
  };
  /// An access that is not over for all threads.
  struct Pending {
    enum Kind { Copy, Write, Read } kind;
    Place place;
    /// None of it where the number of the box is not below this.
    std::optional<Sum> end = {};
    std::optional<Place> barrier = {}; // of an engine's copy
    unsigned groups = 0; // of another one: ended since it was started

    friend bool operator==(const Pending &a, const Pending &b) {
      return a.kind == b.kind && a.place == b.place && a.end == b.end &&
             a.barrier == b.barrier && a.groups == b.groups;
    }
  };
  /// A box that is in its place, or under way to it, if it is below `end`.
  struct Filled {
    Place place;
    std::optional<Sum> end = {};

    friend bool operator==(const Filled &a, const Filled &b) {
      return a.place == b.place && a.end == b.end;
    }
  };
  struct State {
    bool isReached = true;
    std::vector<Pending> pending; // what may be
    std::vector<Filled> filled;   // what is
  };
  /// `left < right`, which holds here.
  struct Limit {
    Sum left, right;
  };

  void block(const Block &b);
  void statement(const Stmt &s);
  void branch(const If &i);
  void loop(const For &f);
  void call(const CallStmt &c);
  void callLocal(const LocalFunction &f, const Expr &value);
  void reads(const Expr &e);
  void read(const Place &p);
  void write(const Expr &to, Pending::Kind kind,
             std::optional<Place> barrier = {});
  void meet();
  void waitPrior(int64_t groups);
  void waitBulk(const Place &barrier);

  Place placeOf(const Expr &e) const;
  std::optional<Sum> limitOf(const Place &p) const;
  std::optional<bool> known(const Expr &condition) const;
  void join(State &a, const State &b, const Limit *ofA = nullptr) const;
  /// Has boxes that are counted from \p from on be counted from \p v on.
  void rename(const VariableRef &v, const Sum &from);
  /// Replaces \p v in what is known; none: \p v has no value any more.
  void leave(const VariableRef &v, const std::optional<Sum> &value);
  void fail(const llvm::Twine &what);

  const Kernel &kernel;
  const Uniformity &uniformity;
  /// The parameter of the function that is called, which may be a variable of
  /// the caller as well, and its value.
  std::optional<std::pair<const Variable *, Sum>> argument;
  llvm::StringMap<const LocalFunction *> functions;
  llvm::SmallPtrSet<const Variable *, 16> changing, ahead;
  llvm::DenseMap<const Variable *, bool> tests; // constants of the instance
  std::vector<Limit> limits;
  std::vector<Place> *written = nullptr; // by the function that is called
  State state;
  const Stmt *current = nullptr, *problem = nullptr;
  std::string why;
};

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_ARRIVALS_H
