//===- TileModel.h - What a staged kernel costs -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The static model behind the default: instructions of the inner loop, shared
/// memory, registers, occupancy and traffic of a kernel with some tiles that
/// stages what its sum reads, counted from the nest as written. The numbers and
/// where they come from are in docs/passes/shorthand.md, "The model".
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_TILEMODEL_H
#define CONVOPT_SCHEDULE_TILEMODEL_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Shorthand.h"
#include "convopt/Target/Gpu.h"

namespace convopt {

/// Estimated; sizes that are not known are taken to be those of a large layer.
struct StagedCost {
  int64_t registers = 0;      // of a thread
  int64_t sharedBytes = 0;    // of a block, every stage counted
  int64_t blocks = 0;         // of the grid
  int64_t residentBlocks = 0; // on a multiprocessor
  double sums = 0;   // multiply-adds, of the instructions of a thread (0 .. 1)
  double cycles = 0; // of one of the device's multiprocessors, for the nest
};

/// A tile, the iterations of the outermost reduction loop to stage at once,
/// whether arrays of which the threads of a block read the same elements come
/// from constant memory, whether the launcher may pack others, whether threads
/// read rows of their own (SumShape::hasRows), whether stages overlap, as those
/// of parts of a window do, and the boxes that a buffer holds.
struct StagedTile {
  TileSpec tiles;
  int64_t iterations = 1;
  bool hasConstants = false, packs = true;
  bool hasRows = false, slides = false;
  int64_t depth = 1;
  StagedCost cost = {};
};

/// What -staging=pipelined would cost with \p tile. None where it does not
/// apply (nothing is summed, or a buffer has a size that is known at run time)
/// or \p gpu cannot run it.
std::optional<StagedCost> costOf(const Nest &nest, const Roles &roles,
                                 const Gpu &gpu, const StagedTile &tile);

/// What a tile is chosen for.
struct TileSearchOptions {
  bool anyLength = false;    // filters of unknown width have a usual one
  int64_t constantBytes = 0; // of constant memory, that arrays may take
  bool maySplit = false;     // threads may share sums
  /// Sizes that are not known are those of one image with up to four outputs
  /// for each thread that the device holds, and of smaller ones; else of large
  /// images.
  bool fewOutputs = false;
  /// From 1: the tile in this place of a wider choice, for a search that
  /// measures: any columns and rows that split the image evenly, three tiles of
  /// the same outputs a thread, and none that the model prices at twice the
  /// cheapest.
  unsigned place = 0;
};

/// The cheapest of the tiles that the model tries; none as above, and none for
/// few outputs where sizes that are known make them many.
std::optional<StagedTile> chooseStagedTile(const Nest &nest, const Roles &roles,
                                           const Gpu &gpu,
                                           const TileSearchOptions &o = {});

/// From how many of its blocks on a kernel with tiles \p many is estimated to
/// take less time than one with \p few, for images of growing size; none where
/// the second is hardly faster for any. \p anyLength as above.
std::optional<int64_t> leastBlocks(const Nest &nest, const Roles &roles,
                                   const Gpu &gpu, const StagedTile &many,
                                   const StagedTile &few, bool anyLength);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_TILEMODEL_H
