//===- Sum.h - Integers up to a difference ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_SUM_H
#define CONVOPT_LIB_PROGRAM_SUM_H

#include "convopt/Program/Expr.h"
#include "llvm/ADT/DenseMap.h"

namespace convopt::program {

/// An integer expression as terms with factors and a number, so that two of
/// them have a difference: `(c + 2) - (1 + c)` is 1. What is no sum,
/// difference or product with a number is a term as it stands, but for the
/// variables that have a known value.
class Sum {
public:
  using Values = llvm::DenseMap<const Variable *, Sum>;

  Sum(int64_t number = 0) : number(number) {}
  explicit Sum(const Expr &e, const Values &known = Values()) {
    add(e, 1, known);
  }

  Sum &operator+=(const Sum &other) { return add(other, 1); }
  friend Sum operator-(Sum a, const Sum &b) { return a.add(b, -1); }
  friend bool operator==(const Sum &a, const Sum &b) {
    return (a - b).asNumber() == 0;
  }
  std::optional<int64_t> asNumber() const {
    return terms.empty() ? std::optional(number) : std::nullopt;
  }

  /// The sum with \p value for each term that is \p v; none where \p v is a
  /// part of one.
  std::optional<Sum> with(const Variable &v, const Sum &value) const;
  /// Whether \p is holds of a variable in any term.
  bool hasVariable(llvm::function_ref<bool(const Variable &)> is) const;

private:
  Sum &add(const Sum &other, int64_t factor);
  void add(const Expr &e, int64_t factor, const Values &known);

  std::vector<std::pair<Expr, int64_t>> terms; // no factor is zero
  int64_t number = 0;
};

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_SUM_H
