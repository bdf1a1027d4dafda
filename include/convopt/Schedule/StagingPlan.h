//===- StagingPlan.h - What -staging stands for -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_STAGINGPLAN_H
#define CONVOPT_SCHEDULE_STAGINGPLAN_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Remarks.h"
#include "convopt/Schedule/StepRecorder.h"

namespace convopt {

/// What `-staging=` asks for.
struct StagingSpec {
  /// Iterations of the outermost reduction loop that are staged at a time; none
  /// where planStaging is to choose.
  std::optional<int64_t> iterations;
  /// Boxes that each buffer holds: with 2 the next one arrives while one is
  /// summed.
  int64_t depth = 1;
  /// Whether outputs are stored in vectors where that is worth it.
  bool storesVectors = false;
  /// Bytes of constant memory that arrays may take of which the threads of a
  /// block read the same elements.
  int64_t constantBytes = 0;
  /// Whether the launcher may pack what is staged.
  bool packs = true;
  /// Whether all loops of the sum are staged, however long they are; else the
  /// innermost of unknown length and those inside of it.
  bool anyLength = true;
  /// Whether threads hold a part of a row in registers, whose length is known
  /// at run time only.
  bool hasRows = false;
  /// Whether parts may overlap, as those of a window of unknown width do.
  bool slides = false;
  /// Threads that share the sums of a loop. Where parts of it are staged, each
  /// of these threads has its iterations of a part, by a loop of this name.
  struct Split {
    unsigned loop = 0;
    int64_t threads = 1;
    std::string name;
  };
  std::optional<Split> split = std::nullopt;
  /// Arrays that stay where they are (LegalityOptions::partly).
  std::vector<unsigned> partly = {};
};

/// Reads `shared`, `pipelined`, either with `:ITERATIONS`, or `none`. Refuses
/// (rule "usage") anything else.
llvm::Expected<std::optional<StagingSpec>> parseStaging(llvm::StringRef text);

/// Adds the steps that stage what the sum of \p recorder's nest reads, whose
/// loops are mapped to threads and whose registers are tiled:
///
/// - arrays whose elements several threads of a block read go to shared
///   memory, some iterations of the outermost reduction loop at a time, or all
///   at once where those would overlap;
/// - a window along contiguous register tiles, and the elements along others,
///   go to registers in vectors, where the compiler can know their number.
/// - where \p spec says so, outputs of a thread to registers, from which they
///   are stored in vectors.
///
/// What was left out for a reason is added to \p remarks.
llvm::Error planStaging(StepRecorder &recorder, const StagingSpec &spec,
                        Remarks &remarks);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_STAGINGPLAN_H
