//===- Footprint.h - The box of elements that loops touch -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_FOOTPRINT_H
#define CONVOPT_TRANSFORMS_FOOTPRINT_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// An interval of integers, both ends included.
struct Range {
  IndexExpr least, greatest;
};

/// The values that \p e, over current loops, takes while \p varying (outermost
/// first, an inner loop's bounds may use outer ones) run through their
/// iterations, over what else \p e uses. Of several upper bounds the constant
/// one counts, so that a partial tile has the box of a full one; of serial
/// loops another, where that one leaves no end. None where an end of the
/// interval has no such form. With \p wholeTiles a loop may also run to the
/// ceiling of a quotient, as one over the tiles of an array does; serial loops
/// then have whole tiles, too.
std::optional<Range> rangeOf(const Nest &nest, const IndexExpr &e,
                             llvm::ArrayRef<const Loop *> varying,
                             bool wholeTiles = false);

/// The greatest number that divides the distance of any two values that \p e
/// takes as above; 0 where it takes only one.
int64_t strideOf(const Nest &nest, const IndexExpr &e,
                 llvm::ArrayRef<const Loop *> varying);

/// Values one of which is the least that \p e takes as above: more than one
/// where a loop has a factor, such as a stride, of which no sign is known. None
/// where there is no such form. The last strip of a loop of \p varying has no
/// more iterations than that, be it unrolled, unless \p wholeStrips.
std::vector<IndexExpr> leastValues(const Nest &nest, const IndexExpr &e,
                                   llvm::ArrayRef<const Loop *> varying,
                                   bool wholeStrips = false);

/// The smallest interval that holds both, where the order of their ends is
/// known: where they differ by constants, or assumptions tell.
std::optional<Range> hull(const Nest &nest, const Range &a, const Range &b);

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_FOOTPRINT_H
