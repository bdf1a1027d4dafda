//===- UsualKernels.cpp - What the default adds to a kernel ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumShape.h"
#include "convopt/Schedule/PlannedKernel.h"
#include "convopt/Schedule/UsualSizes.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

/// Plans \p usual as the last of \p kernels, one of \p count; an error says why
/// it is no better than the general one.
static Error addUsual(const UsualKernel &usual, size_t count,
                      const PlanInput &source,
                      std::vector<PlannedKernel> &kernels) {
  ScheduleRequest request = kernels[0].request;
  if (usual.isPipelined)
    request.staging = "pipelined";
  request.shareConstants(count);
  const std::vector<Assumption> general = kernels[0].facts;
  RETURN_IF_ERROR(
      addVersion(source.nest, general, usual.facts, request, kernels));
  PlannedKernel &k = kernels.back();
  if (!usual.name.empty())
    k.name = usual.name;
  k.isUsual = true;
  RETURN_IF_ERROR(k.plan(source));
  if (usual.isPipelined && !k.notes.tile)
    return refuse("structure", "no tile that the model tries can be staged",
                  source.nest.function.range);
  const std::optional<SumShape> shape =
      usual.isPipelined ? SumShape::of(*k.notes.tiled, k.notes.roles,
                                       /*anyLength=*/true)
                        : std::nullopt;
  if (shape && (shape->isWindowAlone() ||
                !stagesWindows(*k.notes.tiled, *shape, k.pipeline->steps())))
    return refuse("structure", "a window would stay in global memory",
                  source.nest.function.range);
  return k.stages() || isShortSum(k.pipeline->original(), k.notes.roles)
             ? Error::success()
             : refuse("structure", "nothing would be staged",
                      source.nest.function.range);
}

/// Has the general kernel read global memory: what a version stages for usual
/// strides it need not stage in part, which asks that all of that is there.
static Error readGlobalMemory(const PlanInput &source, PlannedKernel &general) {
  PlannedKernel plain;
  plain.request = general.request;
  plain.request.staging = "none";
  plain.facts = general.facts;
  RETURN_IF_ERROR(plain.plan(source));
  general = std::move(plain);
  return Error::success();
}

/// Makes two of \p kernels[\p k], if it stages: one for many outputs, which
/// comes first, and one for few, if that is faster for some sizes. Of the
/// general kernel the one for few is what remains the general one.
static void splitByOutputs(const PlanInput &source,
                           std::vector<PlannedKernel> &kernels, size_t k) {
  PlannedKernel &many = kernels[k];
  if (!many.stages() || areOutputsKnown(many.pipeline->original()))
    return;
  PlannedKernel few;
  few.name = k == 0 ? "" : many.name + "_few";
  few.request = many.request;
  few.request.fewOutputs = true;
  few.facts = many.facts;
  few.isUsual = many.isUsual;
  if (errorToBool(few.plan(source)) || !many.notes.tile || !few.notes.tile ||
      !few.stages())
    return;
  const Nest &nest = *few.notes.tiled;
  // One that is as by -staging=pipelined serves filters of any width.
  const std::optional<int64_t> least = leastBlocks(
      nest, few.notes.roles, source.gpu, *many.notes.tile, *few.notes.tile,
      /*anyLength=*/!many.request.isDefault());
  if (!least)
    return;
  many.leastBlocks = *least;
  if (k == 0) {
    many.name = "many";
    many.isUsual = true;
    many.nameRemarks();
    std::swap(many, few);
  }
  kernels.insert(kernels.begin() + 1 + k, std::move(few));
}

void addUsualKernels(const PlanInput &source, bool maySplitGeneral,
                     std::vector<PlannedKernel> &kernels) {
  if (!kernels[0].request.isDefault() || kernels.size() > 1)
    return;
  Remarks missed;
  // A product of any stride, for long sums.
  const bool isProduct = kernels[0].unfolds();
  const std::optional<StagedTile> &tile = kernels[0].notes.tile;
  // A kernel of a usual filter takes less time than parts of any filter.
  const bool stages = kernels[0].stages() && !(tile && tile->slides);
  const std::vector<UsualKernel> all =
      usualKernels(kernels[0].pipeline->original(), stages, isProduct, missed);
  for (const UsualKernel &usual : all) {
    const size_t before = kernels.size();
    handleAllErrors(addUsual(usual, all.size() + 1, source, kernels),
                    [&](const Refusal &why) {
                      kernels.erase(kernels.begin() + before, kernels.end());
                      missed.push_back(usual.leftOut(why));
                    });
  }
  const bool isAlone = kernels.size() == 1;
  // Sizes for which not all of an array is touched are left to no other kernel.
  const bool asksForSizes =
      any_of(kernels[0].pipeline->nest().assumptions,
             [](const Assumption &a) { return a.spanned.has_value(); });
  if (!isAlone && (stages || asksForSizes) && kernels[0].stages() && !isProduct)
    consumeError(readGlobalMemory(source, kernels[0]));
  // The last may be one of any width beside usual ones.
  if (const size_t last = kernels.size() - 1;
      last > 1 && !kernels[last].request.isDefault() &&
      !isFilterOfTemplate(kernels[0].pipeline->original()))
    splitByOutputs(source, kernels, last);
  if (!isAlone || maySplitGeneral)
    splitByOutputs(source, kernels, isAlone ? 0 : 1);
  append_range(kernels[0].notes.remarks, missed);
}

} // namespace convopt
