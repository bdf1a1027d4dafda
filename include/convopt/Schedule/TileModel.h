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
#include <optional>

namespace convopt {

/// Estimated; sizes that are not known are taken to be those of a large layer.
struct StagedCost {
  int64_t registers = 0;      // of a thread
  int64_t sharedBytes = 0;    // of a block, every stage counted
  int64_t residentBlocks = 0; // on a multiprocessor
  double sums = 0;   // multiply-adds, of the instructions of a thread (0 .. 1)
  double cycles = 0; // of one of the device's multiprocessors, for the nest
};

/// A tile, the iterations of the outermost reduction loop to stage at once, and
/// whether arrays of which the threads of a block read the same elements come
/// from constant memory.
struct StagedTile {
  TileSpec tiles;
  int64_t iterations = 1;
  bool hasConstants = false;
  StagedCost cost;
};

/// What -staging=pipelined would cost with \p tiles and \p iterations, and
/// constants where \p hasConstants. None
/// where it does not apply (nothing is summed, or a buffer has a size
/// that is known at run time) or \p gpu cannot run it.
std::optional<StagedCost> costOf(const Nest &nest, const Roles &roles,
                                 const Gpu &gpu, const TileSpec &tiles,
                                 int64_t iterations, bool hasConstants = false);

/// The cheapest of the tiles that the model tries; none as above, but with
/// \p anyLength filters of unknown width are taken to have a usual one, arrays
/// may take \p constantBytes of constant memory, and with \p maySplit threads
/// may share sums. With \p place, from 1, the one in this place of a wider
/// choice, for a search that measures: any columns and rows that split the
/// image evenly, three tiles of the same outputs a thread, and none that the
/// model prices at twice the cheapest.
std::optional<StagedTile>
chooseStagedTile(const Nest &nest, const Roles &roles, const Gpu &gpu,
                 bool anyLength = false, int64_t constantBytes = 0,
                 bool maySplit = false, unsigned place = 0);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_TILEMODEL_H
