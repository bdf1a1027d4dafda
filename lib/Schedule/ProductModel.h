//===- ProductModel.h - What a product of matrices costs --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_PRODUCTMODEL_H
#define CONVOPT_LIB_SCHEDULE_PRODUCTMODEL_H

#include "convopt/Target/Gpu.h"
#include "convopt/Target/Occupancy.h"
#include <cstdint>
#include <optional>

namespace convopt {

/// A product of matrices: \p channels by \p outputs sums. Of their loops one
/// is staged, and has \p length iterations of \p inner terms each, \p outer
/// times. There are \p batches of them.
struct ProductShape {
  int64_t channels, outputs, outer, length, inner;
  int64_t batches = 1;
  int64_t first = 0; // iterations of the outermost loop of a sum; 0: it is
                     // the one that is staged
  int64_t instructions = 1; // of a term, its reads left out of account
  int64_t elementBytes = 4;
  /// Another kernel makes the matrix of the image.
  bool isMade = false;
  /// Blocks copy vectors of the image, which is a matrix or made one.
  bool isMatrix = false;
  /// Bytes of the filter, if its channel is not contiguous: the launcher lays
  /// it out anew (packs it), or copies to shared memory do.
  int64_t unpackedBytes = 0;
  /// Terms that are staged at a time are contiguous in it.
  bool hasRowsOfTerms = false;
  /// Outputs lie in rows of whole vectors.
  bool hasRowsOfOutputs = false;
};

/// The most terms that are staged at a time, but for those of one iteration of
/// the innermost loop.
constexpr int64_t MostTerms = 50;

/// Channels and outputs of a block and of a thread, boxes that arrive, blocks
/// that share each sum, and whether the launcher packs the filter.
struct ProductTile {
  int64_t channels, outputs, channelsOfThread, outputsOfThread, depth;
  int64_t parts = 1;
  bool packs = true;

  int64_t threads() const {
    return channels / channelsOfThread * (outputs / outputsOfThread);
  }
  /// Whether threads are in pairs that have the same outputs.
  bool hasPairs() const { return channels / channelsOfThread % 2 == 0; }
  /// Whether threads store rows of outputs of \p s by vectors, which take
  /// registers in fours: beside many, long sums lose more by that. Outputs
  /// whose sums blocks share are stored by more threads, one each.
  bool storesVectors(const ProductShape &s) const;
  /// Iterations of the staged loop of \p s that are copied at a time, and
  /// unrolled: as many for each group of threads that copies an
  /// output each, if that is not too many.
  int64_t iterations(const ProductShape &s) const;
  /// Iterations of the outermost loop of a sum in a part, whole stages where
  /// that loop is staged.
  int64_t iterationsOfPart(const ProductShape &s) const;
  /// Iterations of the loops around the staged one, and of that one, in a part.
  int64_t outerOfPart(const ProductShape &s) const;
  int64_t lengthOfPart(const ProductShape &s) const;
  /// Blocks that a multiprocessor is to hold for \p s, so that the compiler
  /// keeps to the registers that it then has; none if a thread needs more.
  std::optional<int64_t> minBlocks(const ProductShape &s, const Gpu &gpu) const;
  /// Of a thread, estimated: its sums, operands and addresses.
  int64_t registers(const ProductShape &s) const;
  /// Of a block, for what arrives.
  int64_t sharedBytes(const ProductShape &s) const;
  /// Of a block whose threads have \p registers.
  BlockUse use(const ProductShape &s, int64_t registers) const {
    return {threads(), registers, sharedBytes(s)};
  }
};

/// What the launcher takes to pack \p bytes, in cycles.
double packingCycles(int64_t bytes, const Gpu &gpu);

/// What \p t takes for \p s, in cycles of a multiprocessor
/// (docs/passes/shorthand.md, "Products").
double cyclesOf(const ProductShape &s, const ProductTile &t, const Gpu &gpu);

/// The tile of a few that takes the least, of those of which a multiprocessor
/// holds a block; with fewer boxes that arrive if it holds none. Its block has
/// no more channels than there are. Blocks share sums only where they
/// \p mayShare.
ProductTile chooseProductTile(const ProductShape &s, const Gpu &gpu,
                              bool mayShare);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_PRODUCTMODEL_H
