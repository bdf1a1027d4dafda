//===- Checker.h - What every nest must keep to -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_NEST_CHECKER_H
#define CONVOPT_LIB_NEST_CHECKER_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// Checks a nest; each function returns false once a violation is recorded,
/// and only the first one is. WellFormed.cpp has the header, WellFormedBody.cpp
/// the body.
class Checker {
public:
  explicit Checker(const Nest &nest) : nest(nest) {}

  llvm::Error run();

private:
  // The header.
  bool names();
  bool declare(llvm::StringSet<> &taken, const std::string &name,
               llvm::StringRef kind);
  bool params();
  bool arrays();
  bool isAlias(const Array &a) const;
  bool buffer(const Array &a);
  bool unfolding(const Array &a);
  bool linear(const Array &a);
  bool footprint(const Array &a);
  bool function();
  bool declarator(const std::string &name, llvm::StringRef type);
  bool argument(const Argument &a);
  bool overParams(const IndexExpr &e, const llvm::Twine &what);

  // The body.
  bool body(const Body &b);
  bool node(const NodeRef &n);
  bool loop(const Loop &l);
  bool mapping(const Loop &l);
  bool unrolled(const Loop &l);
  bool guard(const Guard &g);
  bool local(const Local &l);
  bool copy(const Copy &c);
  bool inGuard() const;
  bool statement(const Statement &s);
  bool instance(const Statement &s);
  bool sameStatement(const Statement &s);
  bool access(const Access &a, const Statement &s);
  bool isWithin(const Access &a) const;
  bool operand(const Operand &o, const Statement &s);
  bool text(const Statement &s);
  /// Why \p text cannot stand for a value that a thread computes by itself of
  /// \p operands; empty where it can.
  std::string whyNoValue(llvm::StringRef text, size_t operands = 0) const;
  bool over(const IndexExpr &e, llvm::ArrayRef<unsigned> loops,
            const llvm::Twine &what);
  std::vector<unsigned> currentLoops() const;

  bool fail(const llvm::Twine &message);

  const Nest &nest;
  std::string failure;
  SourceRange place;
  std::vector<NodeRef> enclosing;
  std::vector<bool> seen;        // loops, by id
  std::vector<unsigned> inScope; // local arrays
  std::map<unsigned, const Statement *> byId;
};

} // namespace convopt

#endif // CONVOPT_LIB_NEST_CHECKER_H
