//===- Arrivals.h - What is read from shared memory is there ----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_ARRIVALS_H
#define CONVOPT_LIB_PROGRAM_ARRIVALS_H

#include "SharedState.h"
#include "Uniformity.h"
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
  void block(const Block &b);
  void statement(const Stmt &s);
  void branch(const If &i);
  void loop(const For &f);
  void call(const CallStmt &c);
  void callLocal(const LocalFunction &f, const Expr &value);
  void reads(const Expr &e);
  void read(const SharedPlace &p);
  void write(const Expr &to, Pending::Kind kind,
             std::optional<SharedPlace> barrier = {});

  SharedPlace placeOf(const Expr &e) const;
  std::optional<Sum> valueOf(const Expr &e) const;
  void define(const Variable &v, const std::optional<Sum> &value);
  std::optional<Sum> endOf(const SharedPlace &p) const;
  std::optional<Limit> limitOf(const Expr &left, const Expr &right) const;
  std::optional<bool> known(const Expr &condition) const;
  /// At the first iteration of \p f, has the boxes that it counts be counted
  /// from its variable on, which is \p first.
  void count(const For &f, const Sum &first);
  void fail(const llvm::Twine &what);

  const Kernel &kernel;
  const Uniformity &uniformity;
  /// The parameter of the function that is called, which may be a variable of
  /// the caller as well, and its value.
  std::optional<std::pair<const Variable *, std::optional<Sum>>> argument;
  Sum::Values constants;
  llvm::StringMap<const LocalFunction *> functions; // that are in scope
  llvm::SmallPtrSet<const Variable *, 16> changing, ahead;
  llvm::DenseMap<const Variable *, bool> tests; // constants of the instance
  std::vector<Limit> limits;
  std::vector<SharedPlace> *written = nullptr; // by the function that is called
  SharedState state;
  const Stmt *current = nullptr, *problem = nullptr;
  std::string why;
};

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_ARRIVALS_H
