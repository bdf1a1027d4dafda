//===- PlannedKernel.h - The kernels of a nest ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_PLANNEDKERNEL_H
#define CONVOPT_SCHEDULE_PLANNEDKERNEL_H

#include "convopt/Nest/Facts.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Request.h"

namespace convopt {

/// What all kernels of a nest share.
struct PlanInput {
  const Nest &nest; // as written
  Gpu gpu;
  LegalityOptions legality;
  PrintHook hook = nullptr;
};

/// A kernel on its way: the source's nest, made special by facts, and then by
/// steps. Of the general kernel the name is empty.
struct PlannedKernel {
  std::string name;
  ScheduleRequest request;
  std::vector<Assumption> facts; // that do not hold of every size anyway
  std::optional<Pipeline> pipeline;
  PlanNotes notes;
  int64_t leastBlocks = 0; // with fewer nearly full, it is passed over
  bool isUsual = false;    // nobody asked for it: addUsualKernels did

  /// Adds to `facts` what \p texts say of \p nest. Refuses (rule "usage") what
  /// is no fact about it.
  llvm::Error addFacts(const Nest &nest, llvm::ArrayRef<std::string> texts);
  /// Refuses what specialise and Pipeline::create refuse.
  llvm::Error create(const PlanInput &source);
  /// Plans the steps and applies them; refuses what any of them refuses and
  /// what \p gpu cannot run. Notes are there after a refusal, too.
  llvm::Error transform(const Gpu &gpu);
  /// Both.
  llvm::Error plan(const PlanInput &source);
  /// Has the remarks say that they are of this version.
  void nameRemarks();

  bool fullTiles() const { return request.boundary != Boundary::Guards; }
  /// Whether the additions of every sum run in the source's order: what the
  /// check without a licence to reorder them says.
  bool keepsOrder() const;
  bool keepsSignsOfZeros() const;
  bool hasSums() const;
  /// Whether each of its sums has the bits of the source's where no compiler
  /// contracts multiply-adds: one thread adds up all terms in their order, and
  /// no function rounds differently on the host.
  bool keepsBits() const;
  /// Whether any step stages an array.
  bool stages() const;
  /// Whether any stages one as a matrix, of whichever strides.
  bool unfolds() const;
};

/// Adds to \p kernels, the general one first, one that relies on \p texts
/// beside the \p general facts, under a name of its own such as `K7_C4`.
/// Refuses (rule "usage") what is no fact about \p nest.
llvm::Error addVersion(const Nest &nest, llvm::ArrayRef<Assumption> general,
                       llvm::ArrayRef<std::string> texts,
                       const ScheduleRequest &request,
                       std::vector<PlannedKernel> &kernels);

/// If all is left to the default, and the general kernel is the only one in
/// \p kernels, and planned: adds, planned, those for usual filters and strides
/// (UsualSizes.h), and of the first, or of the general kernel if that stages
/// and \p maySplitGeneral, one of two for many outputs and one for few. Says in
/// the remarks of the general kernel which would stage nothing.
void addUsualKernels(const PlanInput &source, bool maySplitGeneral,
                     std::vector<PlannedKernel> &kernels);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_PLANNEDKERNEL_H
