//===- PlannedKernel.h - One kernel of the emitted file ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_PLANNEDKERNEL_H
#define CONVOPT_TOOLS_CONVOPT_PLANNEDKERNEL_H

#include "Options.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Schedule/Pipeline.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace convopt {

/// A kernel on its way: the source's nest, made special by facts, and then by
/// steps. Of the general kernel the name is empty.
struct PlannedKernel {
  std::string name;
  ScheduleRequest request;
  std::vector<Assumption> facts; // that do not hold of every size anyway
  std::optional<Pipeline> pipeline;
  Remarks remarks;
  std::optional<StagedTile> tile; // by the model
  int64_t leastBlocks = 0;        // with fewer, the launcher passes it over
  bool isUsual = false;           // nobody asked for it: addUsualKernels did

  /// Refuses what specialise and Pipeline::create refuse.
  llvm::Error create(const Nest &source, const SharedOptions &shared,
                     llvm::raw_ostream &printed);
  /// Plans the steps and applies them; refuses what any of them refuses and
  /// what \p gpu cannot run. Remarks are there after a refusal, too.
  llvm::Error transform(const Gpu &gpu);
  /// Has the remarks say that they are of this version.
  void nameRemarks();

  bool fullTiles() const { return request.boundary != Boundary::Guards; }
  /// Whether the additions of every sum run in the source's order: what the
  /// check without a licence to reorder them says.
  bool keepsOrder() const;
  bool keepsSignsOfZeros() const;
  /// Whether any step stages an array.
  bool stages() const;
};

/// The general kernel first, then the versions: each has its own facts and
/// those of the general one. Refuses (rule "usage") what is no fact about
/// \p source.
llvm::Expected<std::vector<PlannedKernel>> requestedKernels(const Options &o,
                                                            const Nest &source);

/// If all is left to the default, and the general kernel is the only one in
/// \p kernels, and planned: adds, planned, those for usual filters and strides
/// (UsualSizes.h), and of the first, or of the general kernel if that stages,
/// one of two for many outputs and one for few. Says in the remarks of the
/// general kernel which would stage nothing.
void addUsualKernels(const Options &o, const Nest &source, const Gpu &gpu,
                     std::vector<PlannedKernel> &kernels);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_PLANNEDKERNEL_H
