//===- ProductModel.cpp - What a product of matrices costs ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductModel.h"
#include "StorePlan.h"
#include "Waves.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace convopt {

/// Those that were fastest somewhere (docs/results/2026-11-27-h200-pairs.md).
static constexpr ProductTile tiles[] = {
    {128, 128, 8, 8, 2}, {128, 64, 8, 8, 3}, {64, 128, 8, 8, 3},
    {128, 64, 8, 4, 3},  {64, 64, 8, 4, 3},  {128, 32, 8, 4, 3},
    {64, 32, 8, 4, 3},   {32, 128, 4, 8, 3}, {64, 32, 4, 4, 3},
    {32, 64, 4, 4, 3},   {32, 32, 4, 4, 3},  {128, 128, 16, 8, 2}};

constexpr int64_t MostDepth = 3, BytesOfGap = 16;

/// Terms of a stage, with one outermost iteration and more.
static constexpr int64_t Terms = 18, MostIterations = 16;

int64_t ProductTile::iterations(const ProductShape &s) const {
  const int64_t some = std::clamp<int64_t>(Terms / s.inner, 1,
                                           std::min(MostIterations, s.length));
  const int64_t even =
      alignTo(some, divideCeil(channels, channelsOfThread * outputsOfThread));
  return even * s.inner <= MostTerms && even <= s.length ? even : some;
}

int64_t ProductTile::iterationsOfPart(const ProductShape &s) const {
  return s.first != 0 ? divideCeil(s.first, parts)
                      : alignTo(divideCeil(s.length, parts), iterations(s));
}

int64_t ProductTile::outerOfPart(const ProductShape &s) const {
  return s.first != 0 ? s.outer / s.first * iterationsOfPart(s) : s.outer;
}

int64_t ProductTile::lengthOfPart(const ProductShape &s) const {
  return s.first != 0 ? s.length : iterationsOfPart(s);
}

// Fitted to 458 kernels of 29 layers on an H200, as that page has them.
static constexpr double ImageInstructions =
                            8.5, // for each element that a thread copies
    Uneven = 1.15,               // times, if threads cannot share them evenly
    FilterInstructions = 2,      // for each vector
    OtherInstructions = 150,     // of a thread
    SortedCopies = 0.12,         // of the time, if copies do so
    LongBodies = 1.1;            // times, of iterations with many terms
/// Blocks that share a sum.
static constexpr int64_t MostParts = 64;

/// Registers that a thread is held to; those that the compiler takes for
/// addresses, and for more of them beside many sums and terms.
static constexpr int64_t RegistersOfThread = 128, AddressesOfThread = 42,
                         MoreAddresses = 46, ManySums = 64, ManyTerms = 20,
                         MostTermsInCache = 40; // of instructions

bool ProductTile::storesVectors(const ProductShape &s) const {
  return parts == 1 && s.hasRowsOfOutputs &&
         (channelsOfThread * outputsOfThread < ManySums ||
          s.outer * s.length * s.inner <= LongSum);
}

int64_t ProductTile::registers(const ProductShape &s) const {
  const int64_t sums = channelsOfThread * outputsOfThread;
  const bool hasMore =
      !s.isMatrix && sums >= ManySums && iterations(s) * s.inner > ManyTerms;
  return sums + channelsOfThread + outputsOfThread + AddressesOfThread +
         (hasMore ? MoreAddresses : 0);
}

int64_t ProductTile::sharedBytes(const ProductShape &s) const {
  // Rows that copies sort begin in different banks.
  const int64_t gap = s.unpackedBytes != 0 && !packs ? BytesOfGap : 0;
  return depth * iterations(s) * s.inner *
         ((channels + outputs) * s.elementBytes + gap);
}

std::optional<int64_t> ProductTile::minBlocks(const ProductShape &s,
                                              const Gpu &gpu) const {
  if (registers(s) > RegistersOfThread)
    return std::nullopt;
  const int64_t blocks = residentBlocks(gpu, use(s, RegistersOfThread));
  return blocks == 0 ? std::nullopt : std::optional(blocks);
}

double packingCycles(int64_t bytes, const Gpu &gpu) {
  return gpu.product.pack +
         2.0 * double(bytes) / gpu.memoryBytes / double(gpu.multiprocessors);
}

double cyclesOf(const ProductShape &s, const ProductTile &t, const Gpu &gpu) {
  const ProductTimes &times = gpu.product;
  const int64_t iterations = t.iterations(s), depth = iterations * s.inner;
  const int64_t outer = t.outerOfPart(s);
  const double stages =
      double(outer * divideCeil(t.lengthOfPart(s), iterations));
  // The first copies of each iteration outside have nothing to wait beside.
  const double waits = stages + double((outer - 1) * (t.depth - 1));
  const int64_t threads = t.threads();
  const double warps = double(threads) / double(gpu.warpSize);
  const int64_t cells = t.channelsOfThread * t.outputsOfThread;
  const int64_t operands = t.channelsOfThread + t.outputsOfThread;
  const int64_t blocks = divideCeil(s.outputs, t.outputs) *
                         divideCeil(s.channels, t.channels) * t.parts *
                         s.batches;
  const int64_t here = divideCeil(blocks, gpu.multiprocessors);
  const int64_t resident =
      std::min(residentBlocks(gpu, t.use(s, t.registers(s))), here);

  // Groups of threads have an output each; what is left of them is idle.
  const int64_t groups = std::max<int64_t>(threads / t.outputs, 1);
  const double images =
      double(depth * t.outputs) / double(std::min(threads, groups * t.outputs));
  const double filters = double(depth * t.channels) / 4 / double(threads);
  const bool isEven = threads >= t.outputs &&
                      (iterations % groups == 0 || s.inner % groups == 0);
  const double copies =
      s.isMatrix ? FilterInstructions * images / 4
                 : ImageInstructions * (isEven ? 1 : Uneven) * images;
  // The last stage may have fewer.
  const auto terms =
      double(outer * s.inner * std::min(s.length, t.lengthOfPart(s)));
  const double instructions =
      terms * (double(cells * s.instructions) + double(operands) / 4) +
      stages * (copies + FilterInstructions * filters);
  const int64_t reads =
      t.channelsOfThread + t.outputsOfThread * (t.hasPairs() ? 1 : 2);
  const double wavefronts =
      warps * (terms * double(reads) / 4 * times.wavefronts +
               stages * 4 * (images + filters));
  const double stored = t.storesVectors(s) ? times.vectorOutput : times.output;
  auto computedBy = [&](int64_t together) {
    const double perScheduler =
        double(together) * warps / double(gpu.schedulers);
    const double issued =
        (instructions * (1 + times.fewWarps * std::pow(3 / perScheduler,
                                                       times.fewWarpsPower)) +
         OtherInstructions) *
        warps / double(gpu.schedulers);
    return std::pow(std::pow(issued, times.overlap) +
                        std::pow(wavefronts, times.overlap),
                    1 / times.overlap) +
           (times.block + waits * times.stage +
            stored * double(t.channels * t.outputs)) /
               double(together);
  };
  const double summed =
      t.parts == 1
          ? 0
          : times.sum + double(t.parts) *
                            (times.part +
                             times.partOfOutput *
                                 double(s.batches * s.outputs * s.channels) /
                                 double(gpu.multiprocessors));
  // The matrix is written once, and read where a cache does not have it.
  const double elements =
      double(s.batches * s.outer * s.length * s.inner * s.outputs) /
      double(gpu.multiprocessors);
  const double made =
      s.isMade ? times.matrix + elements * 2 * 4 / gpu.memoryBytes : 0;
  const bool isSorted = s.unpackedBytes != 0 && !t.packs;
  const bool isLong =
      !s.isMatrix && cells >= ManySums && s.inner > MostTermsInCache;
  const double packed =
      s.unpackedBytes != 0 && t.packs ? packingCycles(s.unpackedBytes, gpu) : 0;
  return cyclesOfWaves(here, resident, computedBy) *
             (isSorted ? 1 + SortedCopies : 1) * (isLong ? LongBodies : 1) +
         summed + made + packed;
}

/// The best of those that hold \p depth boxes at most; none if no block is
/// resident.
static std::optional<ProductTile>
bestTile(const ProductShape &s, const Gpu &gpu, bool mayShare, int64_t depth) {
  std::optional<ProductTile> best;
  for (ProductTile t : tiles) {
    t.depth = std::min(t.depth, depth);
    t.channels =
        std::min(t.channels, int64_t(alignTo(s.channels, t.channelsOfThread)));
    for (t.parts = 1; t.parts <= (mayShare ? MostParts : 1); ++t.parts) {
      // As many as whole stages make.
      if (int64_t(divideCeil(s.first != 0 ? s.first : s.length,
                             t.iterationsOfPart(s))) != t.parts)
        continue;
      for (bool packs : {true, false}) {
        t.packs = packs;
        if ((packs || s.hasRowsOfTerms) &&
            residentBlocks(gpu, t.use(s, t.registers(s))) > 0 &&
            (!best || cyclesOf(s, t, gpu) < cyclesOf(s, *best, gpu)))
          best = t;
      }
    }
  }
  return best;
}

ProductTile chooseProductTile(const ProductShape &s, const Gpu &gpu,
                              bool mayShare) {
  std::optional<ProductTile> best;
  for (int64_t depth = MostDepth; !best; --depth) {
    assert(depth > 0 && "a box of the smallest tile fits on every device");
    best = bestTile(s, gpu, mayShare, depth);
  }
  return *best;
}

} // namespace convopt
