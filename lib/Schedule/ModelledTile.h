//===- ModelledTile.h - Counts of a kernel with some tiles ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_MODELLEDTILE_H
#define CONVOPT_LIB_SCHEDULE_MODELLEDTILE_H

#include "BankConflicts.h"
#include "StagingPolicy.h"
#include "SumShape.h"
#include "convopt/Schedule/Resources.h"
#include "convopt/Schedule/StagingPlan.h"
#include "convopt/Schedule/TileModel.h"
#include "convopt/Target/Memory.h"

namespace convopt {

/// Threads of a block and outputs of a thread along x, y and z; iterations of
/// the outermost reduction loop that are staged at a time; iterations of the
/// last loop without a role that a block takes in turn; bytes of constant
/// memory for arrays of which its threads read the same; whether the launcher
/// may pack arrays.
struct TileCounts {
  std::array<int64_t, RoleCount> threads{1, 1, 1}, outputs{1, 1, 1};
  int64_t iterations = 1, turns = 1;
  int64_t shares = 1; // threads that share a sum
  int64_t constantBytes = 0;
  bool packs = true;
};

/// \p staged by the loops of \p shape.
TileCounts countsOf(const SumShape &shape, const StagedTile &staged);

/// How an array comes to the sum.
struct ReadPlan {
  Buffer::Memory memory = Buffer::Global; // where it stays if it is not staged
  std::optional<unsigned> vectorDim; // dimension that threads read in vectors
  bool isWindow = false; // held in registers while the innermost loop slides
  bool isSorted = false; // that dimension is no row of the array
  bool isPacked = false; // by the launcher, which puts that dimension last
  int64_t copied = 1;    // elements that a copy moves at once
  int64_t elements = 0;  // of shared memory, of a stage
};

/// Counts for a thread, a block and a stage, as StagingPolicy.h has it.
class ModelledTile {
public:
  /// With \p hasConflicts the banks of shared memory are looked at, which takes
  /// most of the time; without, the cost is one from below.
  ModelledTile(const SumShape &shape, const Gpu &gpu, const TileCounts &tile,
               bool hasConflicts = true);

  /// None where the device cannot run it.
  std::optional<StagedCost> cost() const;

  /// By the reads of the shape; empty where nothing is run.
  llvm::ArrayRef<ReadPlan> readPlans() const { return plans; }
  /// Loops before this one, by their number in the shape, are not unrolled.
  unsigned firstUnrolled() const { return rolled; }
  /// Iterations of the outermost loop of the sum that a thread has in a stage.
  int64_t iterations() const { return share[RoleCount]; }

private:
  ReadPlan planOf(const ReadShape &r, int64_t available) const;
  std::optional<double> knownWork() const;
  bool isWorthPacking(const ReadShape &r, std::optional<double> work) const;
  unsigned findUnrolled() const;
  int64_t readsOf(const ReadShape &r, const PerLoop &counts) const;
  bool isUnrolled() const;
  bool isHoisted(const ReadShape &r) const;
  int64_t bytesOfThread(const ReadShape &r, PerLoop counts) const;
  void addConstants(const ReadShape &r);
  bool hasTurns() const { return tile.turns > 1; }
  void addRead(const ReadShape &r, const ReadPlan &plan);
  void addGlobalRead(const ReadShape &r);
  void addOtherSum(const ReadShape &r);
  llvm::SmallVector<DimUse, 5> useOf(const ReadShape &r) const;
  int64_t leastCyclesOf(const ReadShape &r, int64_t bytes) const;
  std::optional<int64_t> vectorOfCompiler(const ReadShape &r) const;
  int64_t cyclesOf(const ReadShape &r, std::optional<unsigned> last,
                   int64_t width) const;
  void addStrides(const ReadShape &r, unsigned dim, int64_t stride,
                  WarpRead &read) const;
  double storedPieces(int64_t bytes) const;
  double traffic(int64_t here) const;

  const SumShape &shape;
  const Gpu &gpu;
  const TileCounts &tile;
  const bool hasConflicts;
  /// Iterations of a thread; of a block in a stage; of one in it of the threads
  /// that share a sum.
  PerLoop thread, block, share;
  llvm::SmallVector<ReadPlan, 4> plans;
  int64_t threads = 1, warps = 1, outputs = 1, blocks = 1, stages = 1;
  int64_t turns = 1;      // of a block
  bool isRefused = false; // the plan has no such kernel
  bool wouldPack = false; // what constants hold, if they did not
  unsigned rolled = 0;    // loops before this one are not unrolled
  int64_t registers = 0, sharedBytes = 0;                   // of buffers
  int64_t reads = 0, copies = 0, port = 0, copiedBytes = 0; // of a stage
  int64_t globalReads = 0;
  int64_t waitedCopies = 0;             // of a stage, that go through registers
  double ofOthers = 0, othersReads = 0; // instructions of other sums, reads
};

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_MODELLEDTILE_H
