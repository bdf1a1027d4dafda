//===- ProductModel.h - What a product of matrices costs --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_PRODUCTMODEL_H
#define CONVOPT_LIB_SCHEDULE_PRODUCTMODEL_H

#include "convopt/Target/Gpu.h"
#include <cstdint>

namespace convopt {

/// A product of matrices: \p channels by \p outputs sums. Of their loops one
/// is staged, and has \p length iterations of \p inner terms each, \p outer
/// times.
struct ProductShape {
  int64_t channels, outputs, outer, length, inner;
  /// Another kernel makes the matrix of the image, of which vectors are copied.
  bool isMade = false;
};

/// The most terms that are staged at a time, but for those of one iteration of
/// the innermost loop.
constexpr int64_t MostTerms = 50;

/// Channels and outputs of a block and of a thread, boxes that arrive, and
/// blocks that share each sum.
struct ProductTile {
  int64_t channels, outputs, channelsOfThread, outputsOfThread, depth;
  int64_t parts = 1;

  int64_t threads() const {
    return channels / channelsOfThread * (outputs / outputsOfThread);
  }
  /// Iterations of the staged loop of \p s that are copied at a time, and
  /// unrolled: as many for each group of threads that copies an
  /// output each, if that is not too many.
  int64_t iterations(const ProductShape &s) const;
  /// Iterations of that loop in a part, whole stages.
  int64_t iterationsOfPart(const ProductShape &s) const;
};

/// What \p t takes for \p s, in cycles of a multiprocessor
/// (docs/passes/shorthand.md, "Products").
double cyclesOf(const ProductShape &s, const ProductTile &t, const Gpu &gpu);

/// The tile of a few that takes the least; its block has no more channels than
/// there are. Blocks share sums only where they \p mayShare.
ProductTile chooseProductTile(const ProductShape &s, const Gpu &gpu,
                              bool mayShare);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_PRODUCTMODEL_H
