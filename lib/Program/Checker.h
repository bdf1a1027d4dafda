//===- Checker.h - Rules of statements and expressions ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_CHECKER_H
#define CONVOPT_LIB_PROGRAM_CHECKER_H

#include "convopt/Program/Check.h"
#include "convopt/Target/Shuffle.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

namespace convopt::program {

/// What \p e has as its type; helper functions have that of their arguments.
Type::Kind kindOf(const Expr &e);

/// Whether a call may stand where a value is asked for.
inline bool hasValue(Callee callee) {
  return callee < Callee::Local || callee == Callee::HasBulk ||
         callee == Callee::Named || callee == Callee::Construct;
}

/// Goes through a program with what is declared where it is.
class Checker {
public:
  explicit Checker(llvm::StringRef without) : without(without) {}
  llvm::Error run(const Kernel &kernel);
  llvm::Error run(const FunctionDefinition &function);

private:
  /// How an expression stands in what is around it.
  enum class Place {
    Value,
    Part,    // an array or a part of it, which is pointed to or measured
    Address, // an argument of a copy, which may be an address
  };

  void fail(llvm::StringRef rule, const llvm::Twine &what);
  void onHost(); // fails in a kernel
  llvm::Error result() const;
  void declare(const VariableRef &v);
  const Variable *named(llvm::StringRef name) const;
  void block(const Block &b);
  void statement(const Stmt &s);
  void declaration(const Declaration &d);
  void assignment(const Assignment &a);
  void atomicUpdate(const Assignment &a);
  void loop(const For &f);
  void scope(const Scope &s);
  void function(const LocalFunction &f);
  void call(const CallStmt &c);
  void written(const Expr &to);
  void condition(const Expr &e);
  void integer(const Expr &e, llvm::StringRef what);
  void expression(const Expr &e, Place place = Place::Value);
  void variable(const Expr &e, Place place);
  void operation(const Expr &e);
  void valueOfCall(const Expr &e);
  void exchange(const Expr &e);
  void hostCall(const Expr &e);

  const llvm::StringRef without; // a rule
  std::string message;
  bool isBroken = false; // any rule
  const Stmt *current = nullptr;
  bool isInFunction = false, isHost = false;
  std::vector<llvm::StringMap<VariableRef>> scopes;
  llvm::SmallPtrSet<const Variable *, 32> parameters;
};

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_CHECKER_H
