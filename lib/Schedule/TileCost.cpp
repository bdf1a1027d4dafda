//===- TileCost.cpp - What a staged kernel costs --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What TileModel.cpp has counted, in cycles: docs/passes/shorthand.md, "The
/// model".
///
//===----------------------------------------------------------------------===//

#include "ModelledTile.h"
#include "StorePlan.h"
#include "Waves.h"
#include "convopt/Target/Occupancy.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace convopt {

/// Instructions beside multiply-adds and reads of shared memory.
static constexpr int64_t OfCopy = 6, OfRow = 4, OfPart = 6, OfStage = 50,
                         OfBlock = 150, OfOutput = 2;
/// What kernels whose threads share sums take beside what is counted.
static constexpr double OfShares = 1.25;

/// Pieces of \p bytes that a warp's stores touch: lanes that store at a
/// distance touch the same again and again. Where no lanes are along x, their
/// outputs count as neighbours.
double ModelledTile::storedPieces(int64_t bytes) const {
  unsigned along = 0;
  while (along + 1 != RoleCount && tile.threads[along] == 1)
    ++along;
  const int64_t across = std::min(tile.threads[along], gpu.warpSize);
  const int64_t row =
      across * tile.outputs[along] * 4 * shape.registers * shape.storedFields;
  const double ofRow =
      std::max(1.0, std::min(double(across), double(row) / double(bytes)));
  const double pieces = ofRow * double(gpu.warpSize) / double(across);
  const int64_t columns =
      shape.storedFields > 1 ? shape.storedFields : tile.outputs[0];
  return pieces * double(outputs * shape.storedFields) /
         double(storedVector(shape.stored, 4 / shape.registers, columns,
                             shape.length()));
}

std::optional<StagedCost> ModelledTile::cost() const {
  StagedCost c;
  if (isRefused)
    return std::nullopt;
  const int64_t depth = shape.depth();
  const bool runsAhead = depth != 1 && (stages > shape.rounds || turns > 1);
  // Parts of one of the threads that share a sum, and what moves them.
  const int64_t cells = outputs * shape.cells;
  const int64_t rounds = turns * (tile.shares - 1);
  const bool hasConstants = tile.constantBytes != 0;
  c.registers = registers + outputs * shape.registers * shape.cells +
                (hasConstants ? AddressRegisters / 2 : 2 * AddressRegisters);
  c.sharedBytes = sharedBytes * (runsAhead ? depth : 1);
  if (rounds)
    c.sharedBytes += threads / tile.shares * cells * 4 * shape.registers;
  if (threads > gpu.threadsPerBlock || c.registers > gpu.registersPerThread ||
      c.sharedBytes > gpu.sharedPerBlockOptIn)
    return std::nullopt;
  const int64_t here = divideCeil(blocks, gpu.multiprocessors);
  c.blocks = blocks;
  c.residentBlocks = std::min(
      residentBlocks(gpu, {threads, c.registers, c.sharedBytes}), here);
  if (c.residentBlocks == 0)
    return std::nullopt;

  int64_t inner = 1, rows = 1; // of a stage: multiply-adds, rolled iterations
  for (unsigned l = RoleCount; l != shape.loops(); ++l) {
    inner *= share[l];
    if (l < rolled)
      rows *= share[l];
  }
  const double sums = double(inner) * double(outputs * shape.fields);
  const double all = double(stages * turns);
  const double instructions =
      all * (double(inner * outputs * shape.instructions) + double(reads) +
             double(OfRow * rows) + double(OfPart * share[RoleCount]) +
             double(OfCopy * copies) + double(OfStage)) +
      ofOthers +
      double(OfBlock + OfOutput * outputs * shape.storedFields * turns);
  c.sums = sums * all / instructions;

  const double ofBlock = instructions * double(warps) / double(gpu.schedulers);
  const double ported = double(warps) * all * double(port + 4 * copies);
  const double filled =
      double(copiedBytes) / gpu.fromCacheBytes; // which takes that long
  const DirectTimes &times = gpu.direct;
  const double exposed =
      times.block + (all + double(2 * rounds)) * times.barrier +
      double(2 * rounds * cells * threads / tile.shares) /
          double(gpu.warpSize) +
      (runsAhead ? filled + double(shape.rounds - 1) * (times.copy + filled)
                 : all * (times.copy + filled)) +
      (all * double(globalReads + waitedCopies) + othersReads) * times.copy /
          times.readsAtOnce;
  // Weights in registers meet others in their banks as well.
  const double portShare =
      hasConstants ? times.portBesideConstants : times.port;
  const double storing = double(warps * turns / tile.shares); // warps
  auto computedBy = [&](int64_t together) {
    const double perScheduler =
        double(together * warps) / double(gpu.schedulers);
    const double fewWarps =
        times.fewWarps * std::pow(times.enoughWarps / perScheduler, 2);
    return ofBlock * (1 + fewWarps + times.fewBlocks / double(together)) +
           portShare * ported +
           storing * times.sector * storedPieces(SectorBytes) +
           exposed / double(together);
  };
  const double computed = cyclesOfWaves(here, c.residentBlocks, computedBy);
  const double moved = traffic(here);
  // What stores touch again lengthens nothing that takes longer.
  const double linesAgain =
      storedPieces(LineBytes) - double(gpu.warpSize * outputs * 4 *
                                       shape.registers * shape.storedFields) /
                                    LineBytes;
  const double stored = double(here) * storing * times.line * linesAgain;
  c.cycles =
      (std::max(computed, moved + stored) +
       times.overlap * std::min(computed, moved)) *
          (tile.shares == 1 ? 1 : OfShares) +
      (hasConstants ? times.constants - (wouldPack ? times.packed : 0) : 0);
  return c;
}

/// Cycles of \p here blocks' copies from the second-level cache, or of all
/// arrays' way through memory.
double ModelledTile::traffic(int64_t here) const {
  double unique = 0;
  for (const ReadShape &r : shape.reads) {
    double bytes = double(r.bytes) * (r.isOfOthers ? double(shape.others) : 1);
    double passes = 1; // over an array that the cache does not hold
    for (size_t d = 0; d != r.coefficients.size(); ++d)
      bytes *= double(r.extent(d, shape.extents));
    for (unsigned l = 0; l != RoleCount; ++l)
      if (!r.uses(l))
        passes *= double(divideCeil(shape.extents[l], block[l]));
    unique += bytes * (bytes > gpu.cacheBytes ? passes : 1);
  }
  const double written =
      shape.outputs() * 4 * double(shape.registers * shape.storedFields);
  return std::max(double(here) * double(stages * turns) * double(copiedBytes) /
                      gpu.fromCacheBytes,
                  (unique + written) / gpu.memoryBytes /
                      double(gpu.multiprocessors));
}

} // namespace convopt
