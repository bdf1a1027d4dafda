//===- Footprint.h - Distinct elements of an array --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_FOOTPRINT_H
#define CONVOPT_LIB_BENCH_FOOTPRINT_H

#include "Domain.h"
#include "llvm/ADT/BitVector.h"
#include <string>

namespace convopt::bench {

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

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_FOOTPRINT_H
