//===- Shorthand.h - What -tile and -reg stand for --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_SHORTHAND_H
#define CONVOPT_SCHEDULE_SHORTHAND_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Legality/Legality.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Remarks.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/StagingPlan.h"
#include "convopt/Schedule/Step.h"
#include "convopt/Target/Gpu.h"

namespace convopt {

/// How the iterations of a parallel loop are partitioned, or those of one of a
/// sum, which threads alone may share (Nest/SplitSum.h).
struct LoopTile {
  int64_t threads = 1; // of a block along the loop
  int64_t outputs = 1; // of a thread along the loop, in registers
  int64_t turns = 1; // that a block takes one after another; then all others 1
};

/// By loop id; loops that are left out have a tile of one.
using TileSpec = std::map<unsigned, LoopTile>;

/// Reads `-tile=` into threads and `-reg=` into outputs of \p spec. Values go
/// to x, y, z (-tile) or y, z (-reg), as many as there are, or to loops by
/// name: `ow:32,oh:2`. Refuses (rule "usage") values that are not in
/// 1 .. 2^31-1, too many or too few of them, and loops that are not in the
/// band, each with the list of loops; (as Legality does, with a witness)
/// threads along a loop that is not parallel, unless \p legality allows sums to
/// be reordered.
llvm::Error parseTile(llvm::StringRef text, const Nest &nest,
                      const DependenceAnalysis &dependences,
                      const LegalityOptions &legality, const Roles &roles,
                      TileSpec &spec);
llvm::Error parseRegisters(llvm::StringRef text, const Nest &nest,
                           const DependenceAnalysis &dependences,
                           const Roles &roles, TileSpec &spec);

/// The most multiply-adds that one iteration of the innermost rolled loop may
/// come to when reduction loops are unrolled.
constexpr int64_t MaxUnrolledBody = 1024;

/// What becomes of guards that a tile inside of the image never needs.
enum class Boundary : uint8_t {
  Guards,    // they stay
  FullTiles, // such a tile runs a copy of the code without them
  Fill,      // the same; and sums go without, which read zeros instead
  Recompute, // the same of what is staged; and sums that could differ are
             // computed again
};

/// Everything that is said of a nest without a schedule.
struct Shorthand {
  TileSpec tiles;
  std::optional<StagingSpec> staging = std::nullopt;
  Boundary boundary = Boundary::FullTiles;
};

/// The steps that \p spec stands for on \p nest as written: sums kept in
/// registers, strip-mining into `_b`, `_t` and `_r` loops, their interchange,
/// the mapping, register tiling, staging, and unrolling of short reduction
/// loops. What was left out for a reason is added to \p remarks.
///
/// Refuses (rule "limit") what \p gpu cannot run, and (rule "usage") threads
/// along more than three loops.
llvm::Expected<std::vector<Step>>
expandShorthand(const Nest &nest, const Roles &roles, const Shorthand &spec,
                const Gpu &gpu, Remarks &remarks);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_SHORTHAND_H
