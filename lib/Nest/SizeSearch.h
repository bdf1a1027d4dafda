//===- SizeSearch.h - Sizes for which facts hold ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_NEST_SIZESEARCH_H
#define CONVOPT_LIB_NEST_SIZESEARCH_H

#include "convopt/Nest/Nest.h"
#include <random>

namespace convopt {

using SizeValues = std::vector<int64_t>; // by parameter

/// Whether `fact >= 0` or `== 0` holds; false where it has no value.
bool holds(const Constraint &fact, const SizeValues &values);

/// Chooses sizes as a caller does who knows which facts have to hold: pitches
/// that are products of others, borders that are narrow enough.
class SizeSearch {
public:
  /// Which values a parameter may have.
  struct Range {
    int64_t least = 0, most = anything;
  };
  static constexpr int64_t anything = int64_t(1) << 50;
  /// \p mayBe says whether the nest runs at all with some sizes.
  SizeSearch(const Nest &nest, std::vector<Range> ranges,
             llvm::ArrayRef<Constraint> facts,
             llvm::function_ref<bool(const SizeValues &)> mayBe);

  /// Changes some of \p values, one at a time, until the facts hold; false
  /// where that takes too long.
  bool fulfil(SizeValues &values);

  /// The parameters that the facts, which hold for \p values, leave no other
  /// value beside these.
  std::set<unsigned> fixedBy(const SizeValues &values);

private:
  bool search(SizeValues &values, bool onlyGrow);
  void mix(SizeValues &values);
  size_t broken(const SizeValues &values) const;
  SizeValues with(SizeValues values, unsigned param, int64_t value) const;
  std::vector<int64_t> candidates(const SizeValues &values, unsigned param);
  int64_t below(uint64_t n) { return int64_t(random() % n); }

  const Nest &nest;
  std::vector<Range> ranges;
  std::vector<Constraint> facts; // definitions expanded
  std::vector<unsigned> params;  // in facts, that callers choose
  llvm::function_ref<bool(const SizeValues &)> mayBe;
  std::minstd_rand random;
};

} // namespace convopt

#endif // CONVOPT_LIB_NEST_SIZESEARCH_H
