//===- FlatExpr.h - Index expressions to be evaluated often -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_FLATEXPR_H
#define CONVOPT_LIB_VERIFY_FLATEXPR_H

#include "convopt/Nest/Nest.h"

namespace convopt::verify {

/// Values of parameters and loops, those that are known. Of parameters with a
/// definition there are none: expressions have it in their place.
class Values {
public:
  explicit Values(const Nest &nest)
      : params(nest.params.size()),
        values(params + nest.loopNames.size(), Unknown) {}

  void set(unsigned slot, std::optional<int64_t> value) {
    values[slot] = value.value_or(Unknown);
  }
  std::optional<int64_t> at(unsigned slot) const {
    return isKnown(slot) ? std::optional(values[slot]) : std::nullopt;
  }
  bool isKnown(unsigned slot) const { return values[slot] != Unknown; }
  /// Of one that is known.
  int64_t operator[](unsigned slot) const { return values[slot]; }
  unsigned slot(Var v) const {
    return v.kind == Var::Param ? v.id : params + v.id;
  }

private:
  static constexpr int64_t Unknown = INT64_MIN;

  unsigned params;
  std::vector<int64_t> values;
};

/// Rounding down and up; \p b is positive.
inline int64_t divideFloor(int64_t a, int64_t b) { return a / b - (a % b < 0); }
inline int64_t divideCeil(int64_t a, int64_t b) { return -divideFloor(-a, b); }

/// An IndexExpr for searches that try many values, most of which are linear in
/// almost all of their variables.
class FlatExpr {
public:
  FlatExpr() = default;
  /// \p layout says where each variable's value is.
  FlatExpr(const Nest &nest, const IndexExpr &e, const Values &layout)
      : FlatExpr(nest.expandDefinitions(e), layout) {}

  /// None where a variable is not known or a divisor is not positive. Sizes
  /// that are tried are small, so that nothing overflows.
  std::optional<int64_t> evaluate(const Values &values) const;

private:
  FlatExpr(const IndexExpr &e, const Values &layout);

  struct Product {
    int64_t coefficient;
    llvm::SmallVector<unsigned, 2> slots;
    std::vector<std::pair<FlatExpr, FlatExpr>> quotients;
  };
  int64_t constant = 0;
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> linear; // and coefficients
  std::vector<Product> products;
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_FLATEXPR_H
