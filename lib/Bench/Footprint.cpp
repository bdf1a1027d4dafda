//===- Footprint.cpp - Distinct elements of an array ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domain.h"

using namespace llvm;

namespace convopt::bench {

std::string Footprint::add(const Domain &domain,
                           ArrayRef<IndexExpr> subscripts) {
  std::vector<LinearForm> forms;
  for (const IndexExpr &e : subscripts) {
    auto form = domain.linear(e);
    if (!form)
      return "a subscript is not affine";
    forms.push_back(*form);
  }
  auto points = domain.count();
  if (!points)
    return "there are too many";
  if (*points == 0)
    return "";
  const std::vector<unsigned> groupOf = domain.groups(forms);
  std::set<unsigned> taken;
  Product product;
  for (auto [form, extent] : zip(forms, extents)) {
    if (extent > Domain::MostSteps)
      return "there are too many";
    BitVector indices(extent);
    bool inside = true;
    auto mark = [&, &form = form, extent = extent](ArrayRef<int64_t> point) {
      const int64_t index = form.at(point);
      inside &= index >= 0 && index < extent;
      if (inside)
        indices.set(index);
    };
    auto uses = find_if(form.coefficients, [](int64_t c) { return c != 0; });
    if (uses == form.coefficients.end()) {
      mark(std::vector<int64_t>(form.coefficients.size()));
    } else {
      const unsigned group = groupOf[uses - form.coefficients.begin()];
      if (!taken.insert(group).second)
        return "two subscripts depend on each other";
      if (!domain.forEach(group, groupOf, mark))
        return "there are too many";
    }
    if (!inside)
      return "a subscript leaves the array";
    product.push_back(std::move(indices));
  }
  if (!is_contained(products, product))
    products.push_back(std::move(product));
  return products.size() > 64 ? "there are more than 64 accesses" : "";
}

/// Elements whose indices from \p dimension on lie in one of \p accesses
/// (bits). Indices that the same accesses touch are counted together.
double Footprint::sizeFrom(size_t dimension, uint64_t accesses) const {
  if (!accesses)
    return 0;
  if (dimension == extents.size())
    return 1;
  std::map<uint64_t, int64_t> indices; // by the accesses that touch them
  for (int64_t i = 0; i != extents[dimension]; ++i) {
    uint64_t by = 0;
    for (auto [a, product] : enumerate(products))
      by |= uint64_t(product[dimension][i]) << a;
    ++indices[by & accesses];
  }
  double sum = 0;
  for (auto [by, count] : indices)
    sum += double(count) * sizeFrom(dimension + 1, by);
  return sum;
}

double Footprint::size() const {
  return products.empty()
             ? 0
             : sizeFrom(0, products.size() == 64
                               ? ~uint64_t(0)
                               : (uint64_t(1) << products.size()) - 1);
}

} // namespace convopt::bench
