//===- Boxes.h - Boxes of an array that a nest touches ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_DEPENDENCE_BOXES_H
#define CONVOPT_DEPENDENCE_BOXES_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"

namespace convopt {

/// Subscripts from the greatest of `first` to before the least of `end`, over
/// parameters.
struct SubscriptRange {
  std::vector<IndexExpr> first, end;
};

/// What host code copies of an array, where no range is empty and what it asks
/// else holds (Touched.h, OptionalArrays.h).
struct ArrayBoxes {
  /// By dimension, what accesses reach to: with gaps, but its first element
  /// and its last are touched. None where that is not shown.
  std::vector<SubscriptRange> touched;
  /// By dimension, exactly what is written. None where that is not shown.
  std::vector<SubscriptRange> written;
};

/// The boxes of each array of \p nest, which is as the source has it, by id. Of
/// arrays in \p loose (looseFootprints) nothing rests on the assumptions about
/// what they span. For each question isl may take \p maxOperations; 0: without
/// end.
std::vector<ArrayBoxes>
boxesOf(const Nest &nest, llvm::ArrayRef<unsigned> loose,
        unsigned long maxOperations = DefaultMaxOperations);

} // namespace convopt

#endif // CONVOPT_DEPENDENCE_BOXES_H
