//===- Names.h - Variables and expressions of emitted code ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which variable of the program stands for what, and index expressions and
/// comparisons in terms of those variables.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_NAMES_H
#define CONVOPT_LIB_LOWER_NAMES_H

#include "convopt/Nest/LocalNames.h"
#include "convopt/Nest/Quotients.h"
#include "convopt/Program/Expr.h"
#include "llvm/ADT/ArrayRef.h"

namespace convopt::lower {

/// Whether no term is a product of variables.
bool isLinear(const IndexExpr &e);
/// Whether no term is a product at all, by a number either: what fits an int
/// where its terms do.
bool isSum(const IndexExpr &e);

/// What nothing in emitted code may be called: \p macros of the source, and
/// what all of it calls.
std::vector<std::string> namesOfOthers(llvm::ArrayRef<std::string> macros);

/// A C variable that holds \p value, an expression over current loops.
struct Let {
  Var variable;
  IndexExpr value;
};

/// The names in force at a point of the emitted function. Copied on entering
/// a scope, so that what a scope adds ends with it.
class Names {
public:
  /// Reserves the names of parameters, arrays and arguments, and \p reserved.
  Names(const Nest &nest, llvm::ArrayRef<std::string> reserved);

  /// A C identifier near \p wish that nothing else uses.
  std::string fresh(llvm::StringRef wish) { return freshName(wish, used); }
  /// A variable of its own with a fresh name near \p wish.
  Var variable(llvm::StringRef wish, bool isConst = false);
  /// \p v counts from 0 to \p most.
  void setCount(Var v, int64_t most) { counts[v.id] = most; }
  /// The greatest value of \p e where loops and such variables bound it and it
  /// is never negative.
  std::optional<int64_t> greatest(const IndexExpr &e) const;
  /// \p v is \p value from here on.
  void bind(Var v, program::Expr value) { values[key(v)] = std::move(value); }
  /// \p v is a variable of the type int called \p name.
  void bind(Var v, std::string name, bool isConst = false);
  bool isBound(Var v) const { return values.count(key(v)) != 0; }
  program::Expr operator()(Var v) const;
  /// Of a variable that stands for itself.
  program::VariableRef declared(Var v) const { return (*this)(v).variable(); }
  /// Of one that may be narrowed.
  program::VariableRef variableOf(Var v) const {
    const program::Expr e = (*this)(v);
    return e.variable() ? e.variable() : e.operand(0).variable();
  }
  /// The indices of threads and blocks count as int from here on, or not.
  void setSigned(bool areSigned) { isSigned = areSigned; }
  bool areSigned() const { return isSigned; }

  /// Makes a variable that holds \p value under the name \p wish. \p v is the
  /// original iterator that it completes, or none for a partial sum.
  Let addLet(const IndexExpr &value, llvm::StringRef wish,
             std::optional<Var> v);
  const std::vector<Let> &allLets() const { return lets; }

  /// \p e with sums of current loops replaced by the variables that hold them.
  IndexExpr fold(IndexExpr e) const;

  program::Expr value(const IndexExpr &e) const;
  /// Whether the value of \p e is an int: a size that is a product is wider.
  bool isInt(const IndexExpr &e) const;
  /// The value, with products of variables computed in the offset type.
  program::Expr wideValue(const IndexExpr &e) const;
  /// These names with the variables of \p e in the offset type, for what
  /// products of them and numbers may make of it.
  Names widened(const IndexExpr &e) const;
  /// The type of offsets into arrays that can pass 2^31 elements.
  program::Type offsetType() const { return {program::Type::Wide, offset}; }
  void setOffsetType(std::string type) { offset = std::move(type); }
  /// `a < b` with both sides free of minus signs; \p negated gives `a >= b`.
  program::Expr condition(const Constraint &c, bool negated = false) const;
  /// The conjunction of \p all, or where \p negated its negation; none of none.
  program::Expr condition(llvm::ArrayRef<Constraint> all,
                          bool negated = false) const;
  /// The condition of a fact about sizes, whatever these are: in the offset
  /// type where products or large numbers pass an int.
  program::Expr fact(const Constraint &c, bool negated = false) const;

  /// What values call for quotients.
  void setFloorDiv(program::CalledFunction f) { floorDiv = std::move(f); }

private:
  program::Expr withQuotients(const IndexExpr &e) const;
  QuotientSplit split(const IndexExpr &e, int64_t den) const;
  bool isKnownCount(const IndexExpr &e) const;
  program::Expr quotient(const Atom &a) const;
  std::optional<program::Expr> withRemainder(const IndexExpr &e) const;
  /// Whether \p e is never negative and never more than an int.
  bool isSmallCount(const IndexExpr &e) const;
  std::optional<int64_t> greatest(Var v) const;
  static unsigned key(Var v) { return 2 * v.id + (v.kind == Var::Param); }

  const Nest *nest;
  unsigned nextVariable;
  llvm::StringSet<> used;
  std::map<unsigned, program::Expr> values;
  std::vector<Let> lets;
  std::map<unsigned, int64_t> counts; // the greatest values of variables
  bool isSigned = true;
  std::string offset = "long long";
  program::CalledFunction floorDiv{program::Callee::FloorDiv, "floordiv"};
};

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_NAMES_H
