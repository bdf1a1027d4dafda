//===- BranchSample.h - Which ways threads of a kernel go -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_BRANCHSAMPLE_H
#define CONVOPT_LIB_VERIFY_BRANCHSAMPLE_H

#include "convopt/Program/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <set>

namespace convopt::verify {

/// The branches of a kernel: those that decide about loops, such as that
/// between the copies for full and for partial tiles, and guards. Of a
/// condition on data nothing is known: threads go both ways unseen.
class BranchSample {
public:
  explicit BranchSample(const program::Kernel &kernel);

  /// What a condition does, or one of what `&&` makes it of: that is the first
  /// to fail, alone fails, maybe by the least, or just holds, as do all others.
  enum How { Fails, Holds, FailsFirst, FailsAlone, FailsByLeast, HoldsByLeast };
  using Seer = llvm::function_ref<void(unsigned branch, bool isOfLoops, How how,
                                       int64_t conjunct)>;

  /// Calls \p go with the number of each branch that one of some threads comes
  /// to, and with each thing that its condition does there. \p sizes are
  /// parameters by name.
  void walk(const llvm::StringMap<int64_t> &sizes,
            const std::array<int64_t, 3> &grid, Seer go) const;

  size_t branches() const { return numbers.size(); }

  /// A branch, and which of the comparisons that `&&` makes it of.
  using Decision = std::pair<unsigned, int64_t>;

  /// The comparisons of each branch that has several.
  std::set<Decision> decisions() const;

  /// Of each of these in a branch that decides about loops, how far the closest
  /// of some threads is from that it alone fails, by the least: by how much it
  /// misses that, and by how much others fail. \p sizes and \p grid are those
  /// of walk.
  std::map<Decision, int64_t>
  distances(const llvm::StringMap<int64_t> &sizes,
            const std::array<int64_t, 3> &grid) const;

private:
  using Scalars = llvm::DenseMap<const program::Variable *, int64_t>;
  /// A block and a thread of it, along one dimension.
  using Position = std::pair<int64_t, int64_t>;

  std::array<int64_t, 3> block;
  std::vector<program::VariableRef> parameters;
  program::Block body; // the branches and what their conditions are made of
  struct Number {
    unsigned branch;
    bool isOfLoops;
    std::vector<const program::Expr *> conjuncts; // of its condition
  };
  llvm::DenseMap<const program::Stmt *, Number> numbers;
  llvm::DenseMap<const program::Variable *, program::Expr> named;

  /// Is told of each branch that a thread comes to, and what it knows there.
  using Visitor = llvm::function_ref<void(const Number &branch,
                                          int64_t condition, const Scalars &)>;
  void visit(const llvm::StringMap<int64_t> &sizes,
             const std::array<int64_t, 3> &grid, Visitor see) const;
  /// False where the thread has left.
  bool run(const program::Block &block, Scalars &scalars, Visitor see) const;
  void conjuncts(const program::Expr &e,
                 std::vector<const program::Expr *> &all) const;
  static void seeConjuncts(llvm::ArrayRef<const program::Expr *> all,
                           const Scalars &scalars,
                           llvm::function_ref<void(int64_t, How)> see);
  std::vector<Position> positions(unsigned dimension, int64_t blocks) const;
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_BRANCHSAMPLE_H
