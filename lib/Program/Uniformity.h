//===- Uniformity.h - Where the threads of a block agree --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_UNIFORMITY_H
#define CONVOPT_LIB_PROGRAM_UNIFORMITY_H

#include "convopt/Program/Stmt.h"
#include "convopt/Target/Shuffle.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

namespace convopt::program {

/// Whether all threads of the block meet at \p e, and hear the same.
inline bool isVote(const Expr &e) {
  return e.kind() == Expr::Call && e.function().callee == Callee::SyncThreadsOr;
}

/// Whether the lanes of each warp meet at \p e.
inline bool isExchange(const Expr &e) {
  return e.kind() == Expr::Call && e.function().callee == Callee::Exchange;
}

/// Which threads of a block take the same way. A value is taken to vary where
/// it is computed from a thread's index or from memory, or assigned to where
/// threads have parted.
class Uniformity {
public:
  explicit Uniformity(const Kernel &kernel);

  /// A statement at which all threads meet, or all lanes of warps, and which
  /// not all may reach, and why; none: null.
  std::pair<const Stmt *, std::string> divergent() const {
    return {problem, why};
  }

  /// Whether the threads of a block may differ in \p e.
  bool varies(const Expr &e) const;

private:
  void mark(const Variable &v);
  /// \p isParted says that the threads that are here may be some.
  void visit(const Block &block, bool isParted);
  void visit(const Stmt &s, bool isParted);
  void visitCall(const CallStmt &c, bool isParted);
  /// All threads of the block meet at \p s.
  void meet(const Stmt &s, bool isParted);
  /// All lanes of each warp do; that not all threads of the block come as well
  /// is taken for a mistake.
  void meetInWarps(const Stmt &s, bool isParted);

  llvm::SmallPtrSet<const Variable *, 16> varying;
  llvm::StringSet<> partedCalls; // functions that some threads call
  const Kernel &kernel;
  bool hasChanged = false;
  bool hasReturned = false; // some threads may have
  const Stmt *problem = nullptr;
  std::string why;
};

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_UNIFORMITY_H
