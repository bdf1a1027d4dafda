//===- Domain.h - What loops count and touch --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_DOMAIN_H
#define CONVOPT_LIB_BENCH_DOMAIN_H

#include "convopt/Nest/IndexExpr.h"
#include "convopt/Verify/Verify.h"
#include "llvm/ADT/BitVector.h"

namespace convopt::bench {

/// `constant + sum of coefficients[d] * loop d`.
struct LinearForm {
  int64_t constant = 0;
  std::vector<int64_t> coefficients;

  int64_t at(llvm::ArrayRef<int64_t> point) const;
};

/// The integer points of loops under affine constraints. Loops that no
/// constraint ties together are counted apart and multiplied, so that only
/// what is no box is walked through.
class Domain {
public:
  /// Points that are walked through one by one at most: about a second.
  static constexpr int64_t MostSteps = 200000000;

  /// Over \p loops (ids), outermost first; \p params are parameters' values.
  Domain(std::vector<unsigned> loops, std::vector<int64_t> params)
      : loops(std::move(loops)), params(std::move(params)) {}

  /// False where \p c is not affine for these parameters.
  bool add(const Constraint &c);
  /// \p e over the domain's loops; none where it is not affine.
  std::optional<LinearForm> linear(const IndexExpr &e) const;

  /// How many points there are; none where that takes too long to find out.
  std::optional<double> count() const;

  /// For each loop, the number of the smallest group that holds it so that no
  /// constraint and none of \p together ties loops of different groups.
  std::vector<unsigned> groups(llvm::ArrayRef<LinearForm> together) const;

  /// Calls \p f for every point of the loops of \p group, the others 0; false
  /// where there are too many.
  bool forEach(unsigned group, llvm::ArrayRef<unsigned> groupOf,
               llvm::function_ref<void(llvm::ArrayRef<int64_t>)> f) const;

private:
  struct Walk;
  std::vector<unsigned> loops;
  std::vector<int64_t> params;
  std::vector<LinearForm> nonNegative; // each >= 0
};

/// The union of what accesses to one array touch. Each access touches a
/// product of sets, one a dimension.
class Footprint {
public:
  explicit Footprint(std::vector<int64_t> extents)
      : extents(std::move(extents)) {}

  /// Adds the elements at \p subscripts over \p domain; what stands in the
  /// way, or nothing.
  std::string add(const Domain &domain, llvm::ArrayRef<IndexExpr> subscripts);

  /// How many distinct elements there are.
  double size() const;

private:
  using Product = std::vector<llvm::BitVector>; // the indices, by dimension
  double sizeFrom(size_t dimension, uint64_t accesses) const;

  std::vector<int64_t> extents;
  std::vector<Product> products;
};

/// The value of every parameter by id, definitions included. \p shape is one
/// that parseShape or bindLayer gave for \p nest, so that all have one.
inline std::vector<int64_t> paramValues(const Nest &nest, const Shape &shape) {
  std::vector<int64_t> values;
  for (const Param &p : nest.params) {
    auto given = shape.sizes.find(p.name);
    if (p.definition)
      values.push_back(
          p.definition->evaluate([&](Var v) { return values[v.id]; })
              .value_or(0));
    else
      values.push_back(given == shape.sizes.end() ? 0 : given->second);
  }
  return values;
}

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_DOMAIN_H
