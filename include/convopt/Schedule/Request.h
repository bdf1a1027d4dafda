//===- Request.h - From options to steps ------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_REQUEST_H
#define CONVOPT_SCHEDULE_REQUEST_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Remarks.h"
#include "convopt/Schedule/Shorthand.h"
#include "convopt/Schedule/Step.h"
#include "convopt/Schedule/TileModel.h"
#include "convopt/Target/Gpu.h"

namespace convopt {

/// How a sum is computed.
enum class Algorithm : uint8_t {
  Direct,  // tiles of the loops as they are
  Product, // as a product of matrices, of which none is made (ProductPlan.h)
  Im2col,  // as one of which the image's is made in memory first
  Auto,    // as a product where sizes are known and it is estimated cheaper
};

/// What the user gave of `-tile=`, `-reg=`, `-staging=`, `-schedule=` and
/// `-boundary=`.
struct ScheduleRequest {
  std::optional<std::string> tile, registers, staging, scheduleFile;
  Boundary boundary = Boundary::Recompute;
  Algorithm algorithm = Algorithm::Auto;
  /// Of constant memory, that the default may take: half, as the source may
  /// have constants, too.
  int64_t constantBytes = 32 * 1024;
  /// Of a search: which of the model's tiles to take, from 1 (TileModel.h).
  unsigned place = 0;
  /// Tiles are for sizes with few outputs, where these are not known, and
  /// nothing is packed at launch.
  bool fewOutputs = false;
  /// Of several kernels in a file, each has an equal part.
  void shareConstants(int64_t kernels) { constantBytes /= kernels; }

  /// Whether anything was said of tiles, other than by a schedule.
  bool hasShorthand() const { return tile || registers || staging; }
  /// Whether a product of matrices is asked for.
  bool isProduct() const {
    return algorithm == Algorithm::Product || algorithm == Algorithm::Im2col;
  }
  /// Whether all is left to the default.
  bool isDefault() const {
    return !hasShorthand() && !scheduleFile && place == 0 && !isProduct();
  }
};

/// What planning says beside the steps.
struct PlanNotes {
  Remarks remarks;
  /// Of a kernel whose copies are pipelined: what TileModel.h prices.
  std::optional<StagedTile> tile;
  std::optional<Nest> tiled; // for which it was chosen
  Roles roles;               // of that
  /// Of a product whose sizes are all known: of a multiprocessor, estimated.
  std::optional<double> productCycles;
};

/// Reads and parses the file of a `-schedule=`. Refuses one that is missing,
/// unreadable or a directory.
llvm::Expected<std::vector<Step>> readSchedule(llvm::StringRef path);

/// The steps that \p request asks for on the nest of \p pipeline, as written,
/// default tiles where it says nothing. Refuses (rule "usage") a schedule
/// together with tiles, and what the parts refuse.
llvm::Expected<std::vector<Step>> planSteps(const Pipeline &pipeline,
                                            const ScheduleRequest &request,
                                            const Gpu &gpu, PlanNotes &notes);

/// Applies them to \p pipeline, and asks whether \p gpu can run the result. A
/// default that stages and turns out not to be legal is left for one that does
/// not, with a remark.
llvm::Error applyRequest(Pipeline &pipeline, const ScheduleRequest &request,
                         const Gpu &gpu, PlanNotes &notes);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_REQUEST_H
