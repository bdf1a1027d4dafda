//===- Request.cpp - From options to steps --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Request.h"
#include "LaunchPlan.h"
#include "Preparations.h"
#include "ProductModel.h"
#include "ProductOperands.h"
#include "ProductPlan.h"
#include "ShorthandRefusal.h"
#include "SumShape.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Schedule/DefaultTile.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Resources.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Shorthand.h"
#include "convopt/Schedule/Siblings.h"
#include "convopt/Schedule/StepRecorder.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/IfConvert.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace convopt {

Expected<std::vector<Step>> readSchedule(StringRef path) {
  Expected<std::string> text = readText(
      path, "input", "-schedule names a file with a step on each line");
  return text ? parseSchedule(*text, path) : text.takeError();
}

static bool stages(const Step &step) { return step.is(stagePass); }
static bool converts(const Step &step) { return step.is(ifConvertPass); }

/// Whether what a block stages has a constant size that it has room for; else
/// why not. Legality is asked
/// when the steps are taken.
static Error checkStaged(const Nest &nest, const std::vector<Step> &steps,
                         const Gpu &gpu) {
  StepRecorder recorder(nest);
  for (const Step &step : steps)
    RETURN_IF_ERROR(recorder.add(step));
  const Nest &staged = recorder.nest();
  for (const Array &a : staged.arrays)
    if (a.buffer && !a.buffer->isOnHost() && !constantElements(staged, a))
      return refuse("limit",
                    "the size of '" + a.name +
                        "' is not constant and may be too large",
                    a.range);
  const Resources needed = estimateResources(staged);
  if (needed.sharedBytes > gpu.sharedPerBlockOptIn)
    return refuse("limit",
                  "a block would stage " + std::to_string(needed.sharedBytes) +
                      " bytes",
                  nest.function.range);
  return checkResources(needed, gpu, nest.function.range);
}

/// What the model says of \p tile.
static Remark costRemark(const Nest &nest, const StagedTile &tile) {
  const StagedCost &c = tile.cost;
  return {Remark::Kind::Analysis, "tile",
          formatv("the model expects {0} registers a thread, {1} bytes of "
                  "shared memory a block, {2} blocks on a multiprocessor, {3} "
                  "% of the instructions to be multiply-adds, {4} cycles in "
                  "all",
                  c.registers, c.sharedBytes, c.residentBlocks,
                  std::lround(100 * c.sums), std::llround(c.cycles))
              .str(),
          nest.function.range};
}

/// What the default tries, best first.
enum class DefaultPlan : uint8_t {
  Best,   // a product where that is estimated to take less time, or Whole
  Whole,  // stages, and does what else the model chooses
  Staged, // as -staging=pipelined does
  Plain,  // reads global memory
};

/// The most bytes of an image's matrix that are stored if nobody asks for it:
/// as many as of filters that the launcher packs.
static constexpr int64_t MostMatrix = int64_t(256) << 20;

/// The steps of a product, where one is possible and estimated to take less
/// time than the direct form's \p cycles: of the two, with the image's matrix
/// in memory or without, the faster one. Where the direct form has none, as it
/// would stage nothing, any product without the matrix will do.
static std::optional<std::vector<Step>>
planFasterProduct(const Pipeline &pipeline, const Roles &roles,
                  std::optional<double> direct, Boundary boundary,
                  const Gpu &gpu, PlanNotes &notes) {
  double cycles = direct.value_or(std::numeric_limits<double>::infinity());
  std::optional<std::vector<Step>> steps;
  Remarks remarks;
  for (bool isMade : {false, true}) {
    Remarks planned;
    std::optional<ProductPlan> plan = expectedToOptional(planProduct(
        pipeline.nest(), roles,
        {boundary, pipeline.legality().associativeMath, isMade}, gpu, planned));
    if (!plan || (!plan->isKnown && (direct || isMade)) ||
        plan->cycles >= cycles || plan->matrixBytes > MostMatrix)
      continue;
    steps = std::move(plan->steps);
    cycles = plan->cycles;
    if (plan->isKnown)
      notes.productCycles = cycles;
    remarks = std::move(planned);
  }
  append_range(notes.remarks, remarks);
  return steps;
}

/// What the launcher of a kernel of \p steps takes to pack arrays, in cycles.
static double packingOf(const Nest &nest, ArrayRef<Step> steps,
                        const Gpu &gpu) {
  double cycles = 0;
  for (const Step &s : make_filter_range(steps, stages)) {
    const StageArguments staged = cantFail(StageArguments::parse(s.words));
    const unsigned array = cantFail(findArrayByName(nest, staged.array));
    if (staged.memory == Buffer::Global)
      cycles += packingCycles(bytesOf(nest, array).value_or(0), gpu);
  }
  return cycles;
}

/// Says why the model has no tile.
static Error refuseTiles(const Nest &nest, const Roles &roles) {
  if (SumShape::of(nest, roles))
    return refuse("structure", "no tile that the model tries can be staged",
                  nest.function.range, "give -tile=, -reg= and -staging=");
  if (const std::optional<SumShape> shape =
          SumShape::of(nest, roles, /*anyLength=*/true))
    for (const Loop *l : loops(nest))
      if (!is_contained(roles.band, l->id) && l->id != shape->outermost &&
          !constantTrips(nest, *l))
        return refuse("structure",
                      "loop '" + nest.loopNames[l->id] +
                          "' of the sum has a length that is known at run time",
                      l->range, "give its length with -assume=");
  return refuse("structure",
                "no loop of a sum runs within the loops over its outputs",
                nest.function.range);
}

/// Why a plan that \p made remarks stages nothing of \p nest, of which \p
/// partly is touched in part.
static std::string whyNothing(const Nest &nest, ArrayRef<unsigned> partly,
                              const Remarks &made) {
  if (!partly.empty())
    return partlyText(nest.arrays[partly[0]]);
  const auto missed = find_if(made, [](const Remark &r) {
    return r.kind == Remark::Kind::Missed && r.pass == "stage";
  });
  return missed == made.end()
             ? "no element is read by several threads of a block"
             : missed->message;
}

/// The default's staging by the model, where that is sure to run; none, with a
/// remark, where it is not.
static Expected<std::vector<Step>> planStaged(const Pipeline &pipeline,
                                              const Roles &roles,
                                              const ScheduleRequest &request,
                                              DefaultPlan plan, const Gpu &gpu,
                                              PlanNotes &notes) {
  const Nest &nest = pipeline.nest();
  const bool isWhole = plan <= DefaultPlan::Whole;
  if (!request.place && isShortSum(nest, roles))
    return refuse("structure",
                  "a sum of few terms takes no longer from the nearest cache",
                  nest.function.range);
  TileSearchOptions search;
  search.constantBytes =
      isWhole && !request.fewOutputs ? request.constantBytes : 0;
  search.maySplit = isWhole && pipeline.legality().associativeMath;
  search.fewOutputs = request.fewOutputs;
  search.place = request.place;
  std::optional<StagedTile> tile = chooseStagedTile(nest, roles, gpu, search);
  if (!tile && request.place > 1)
    return refuse("limit", "the model has fewer than " +
                               std::to_string(request.place) +
                               " tiles to choose from");
  auto product = [&](std::optional<double> direct) {
    return plan == DefaultPlan::Best && request.algorithm == Algorithm::Auto
               ? planFasterProduct(pipeline, roles, direct, request.boundary,
                                   gpu, notes)
               : std::nullopt;
  };
  // Of a filter's gradient: a product's tile is of all its dimensions.
  const bool isAroundStages =
      tile && SumShape::of(nest, roles).value_or(SumShape()).rounds > 1;
  if (!tile || isAroundStages)
    if (std::optional<std::vector<Step>> steps = product(std::nullopt))
      return std::move(*steps);
  if (!tile)
    return refuseTiles(nest, roles);
  // Of what the direct form cannot stage.
  auto orProduct = [&](Error why) -> Expected<std::vector<Step>> {
    if (std::optional<std::vector<Step>> steps = product(std::nullopt)) {
      consumeError(std::move(why));
      return std::move(*steps);
    }
    return std::move(why);
  };
  Remarks made;
  StagingSpec staging{tile->iterations, tile->depth, isWhole,
                      tile->hasConstants ? search.constantBytes : 0};
  staging.packs = !request.fewOutputs;
  staging.anyLength = false;
  staging.hasRows = tile->hasRows;
  staging.slides = tile->slides;
  staging.partly = pipeline.legality().partly;
  Expected<std::vector<Step>> steps = expandShorthand(
      nest, roles, {tile->tiles, staging, request.boundary}, gpu, made);
  const double beside =
      gpu.direct.rest + (steps ? packingOf(nest, *steps, gpu) : 0);
  if (auto faster = product(tile->cost.cycles + beside)) {
    consumeError(steps.takeError());
    return std::move(*faster);
  }
  if (!steps)
    return orProduct(steps.takeError());
  if (none_of(*steps, stages))
    return orProduct(refuse("structure", whyNothing(nest, staging.partly, made),
                            nest.function.range));
  if (Error e = checkStaged(nest, *steps, gpu))
    return orProduct(std::move(e));
  if (tile->slides && !stagesWindows(nest, *SumShape::of(nest, roles), *steps))
    return orProduct(refuse("structure",
                            "a window of unknown width stays in global memory",
                            nest.function.range));
  append_range(notes.remarks, made);
  notes.remarks.push_back(costRemark(nest, *tile));
  notes.tile = std::move(tile);
  notes.tiled = nest;
  return steps;
}

/// Says why the default is not \p plan.
static void addMissed(DefaultPlan plan, Error why, Remarks &remarks) {
  const std::string what =
      plan == DefaultPlan::Best
          ? "is no product of matrices (-algorithm=product)"
      : plan == DefaultPlan::Whole
          ? "does no more than stage (-staging=pipelined)"
          : "does not stage (-staging=pipelined)";
  handleAllErrors(std::move(why), [&](const Refusal &r) {
    remarks.push_back({Remark::Kind::Missed, "stage",
                       "the kernel " + what + ": " + r.message +
                           (r.remedy.empty() ? "" : "; " + r.remedy),
                       r.where});
  });
}

/// The steps of \p first, or of the next plan that there are steps for.
static Expected<std::vector<Step>>
planDefault(DefaultPlan first, const Pipeline &pipeline, const Roles &roles,
            const ScheduleRequest &request, const Gpu &gpu, PlanNotes &notes) {
  const Nest &nest = pipeline.nest();
  for (DefaultPlan plan :
       {std::min(first, DefaultPlan::Whole), DefaultPlan::Staged}) {
    if (plan < first)
      continue;
    Expected<std::vector<Step>> staged =
        planStaged(pipeline, roles, request, plan, gpu, notes);
    if (staged)
      return staged;
    Error why = staged.takeError();
    if (plan == DefaultPlan::Staged)
      addMissed(plan, std::move(why), notes.remarks);
    else
      consumeError(std::move(why)); // the next one says it, if it matters
  }
  return expandShorthand(
      nest, roles,
      {defaultTile(nest, roles, gpu), std::nullopt, request.boundary}, gpu,
      notes.remarks);
}

/// The tiles that are given; of those that are not, the default's, which may
/// choose what \p staging leaves open.
static Expected<TileSpec> chooseTile(const Pipeline &pipeline,
                                     const Roles &roles,
                                     const ScheduleRequest &request,
                                     const Gpu &gpu,
                                     std::optional<StagingSpec> &staging) {
  const Nest &nest = pipeline.nest();
  const DependenceAnalysis &dependences = pipeline.dependences();
  TileSpec spec;
  std::optional<StagedTile> modelled;
  if (staging && !request.tile)
    modelled = chooseStagedTile(
        nest, roles, gpu,
        {/*anyLength=*/true, 0, /*maySplit=*/false, request.fewOutputs});
  if (modelled && !request.registers && !staging->iterations)
    staging->iterations = modelled->iterations;
  if (request.tile) {
    RETURN_IF_ERROR(parseTile(*request.tile, nest, dependences,
                              pipeline.legality(), roles, spec));
  } else {
    spec = modelled ? modelled->tiles : defaultTile(nest, roles, gpu);
  }
  if (request.registers) {
    for (auto &[loop, tile] : spec)
      tile.outputs = 1;
    RETURN_IF_ERROR(
        parseRegisters(*request.registers, nest, dependences, roles, spec));
  }
  return spec;
}

Expected<std::vector<Step>> planSteps(const Pipeline &pipeline,
                                      const ScheduleRequest &request,
                                      const Gpu &gpu, PlanNotes &notes) {
  if (request.isProduct() &&
      (request.hasShorthand() || request.scheduleFile || request.place))
    return refuse(
        "usage",
        std::string("-algorithm=") +
            (request.algorithm == Algorithm::Product ? "product" : "im2col") +
            " excludes -tile, -reg, -staging and -schedule",
        {}, "edit the steps that -emit=schedule prints for it");
  if (request.scheduleFile) {
    if (request.hasShorthand())
      return refuse("usage", "-schedule excludes -tile, -reg and -staging", {},
                    "put the steps that -emit=schedule prints for them into "
                    "the file");
    if (request.boundary == Boundary::Fill)
      return refuse("usage", "-schedule excludes -boundary=fill", {},
                    "put if-convert=ARRAY into the file");
    return readSchedule(*request.scheduleFile);
  }
  const Nest &nest = pipeline.nest();
  ASSIGN_OR_RETURN(Roles roles, findRoles(nest, pipeline.dependences()));
  notes.roles = roles;
  append_range(notes.remarks, roleRemarks(nest, pipeline.dependences(), roles));
  if (request.isProduct()) {
    ASSIGN_OR_RETURN(
        ProductPlan plan,
        planProduct(nest, roles,
                    {request.boundary, pipeline.legality().associativeMath,
                     request.algorithm == Algorithm::Im2col},
                    gpu, notes.remarks));
    if (plan.isKnown)
      notes.productCycles = plan.cycles;
    return std::move(plan.steps);
  }
  if (request.isDefault())
    return planDefault(DefaultPlan::Best, pipeline, roles, request, gpu, notes);
  if (request.place)
    return planStaged(pipeline, roles, request, DefaultPlan::Whole, gpu, notes);
  std::optional<StagingSpec> staging;
  if (request.staging) {
    ASSIGN_OR_RETURN(std::optional<StagingSpec> parsed,
                     parseStaging(*request.staging));
    staging = parsed;
    if (staging)
      staging->packs = !request.fewOutputs;
  }
  ASSIGN_OR_RETURN(TileSpec spec,
                   chooseTile(pipeline, roles, request, gpu, staging));
  if (staging) {
    StagedTile given{spec, staging->iterations.value_or(INT32_MAX),
                     /*hasConstants=*/false, staging->packs};
    if (staging->depth == 2 && staging->iterations) {
      notes.tile = given;
      notes.tiled = nest;
    }
    if (auto cost = costOf(nest, roles, gpu, given)) {
      given.cost = *cost;
      notes.remarks.push_back(costRemark(nest, given));
    }
  }
  return expandShorthand(nest, roles, {spec, staging, request.boundary}, gpu,
                         notes.remarks);
}

static Error applyAll(Pipeline &pipeline, ArrayRef<Step> steps,
                      const Gpu &gpu) {
  RETURN_IF_ERROR(pipeline.applyAll(steps));
  // Tiles were checked when they were chosen; a schedule says anything.
  return checkResources(pipeline, gpu);
}

/// What \p planned says, added to \p notes.
static void add(PlanNotes planned, PlanNotes &notes) {
  append_range(notes.remarks, planned.remarks);
  notes.tile = std::move(planned.tile);
  notes.tiled = std::move(planned.tiled);
  notes.roles = std::move(planned.roles);
  notes.productCycles = planned.productCycles;
}

/// Applies the first plan that is legal after the best one, whose \p steps are
/// not: \p why.
static Error applyNextPlan(Pipeline &pipeline, std::vector<Step> steps,
                           Error why, const ScheduleRequest &request,
                           const Gpu &gpu, PlanNotes &notes) {
  Expected<Roles> roles = findRoles(pipeline.nest(), pipeline.dependences());
  if (!roles)
    return joinErrors(std::move(why), roles.takeError());
  append_range(notes.remarks,
               roleRemarks(pipeline.nest(), pipeline.dependences(), *roles));
  DefaultPlan refused = DefaultPlan::Best;
  for (DefaultPlan plan :
       {DefaultPlan::Whole, DefaultPlan::Staged, DefaultPlan::Plain}) {
    PlanNotes planned;
    planned.roles = *roles;
    Expected<std::vector<Step>> next =
        planDefault(plan, pipeline, *roles, request, gpu, planned);
    if (!next)
      return joinErrors(std::move(why), next.takeError());
    if (*next == steps) {
      refused = plan;
      continue;
    }
    addMissed(refused, std::move(why), notes.remarks);
    Pipeline trial = pipeline;
    why = applyAll(trial, *next, gpu);
    if (why && plan != DefaultPlan::Plain) {
      refused = plan;
      steps = std::move(*next);
      continue;
    }
    add(std::move(planned), notes);
    pipeline = std::move(trial);
    break;
  }
  return why;
}

static Error applyPlanned(Pipeline &pipeline, const ScheduleRequest &request,
                          const Gpu &gpu, PlanNotes &notes);

/// The same, with all guards where sums cannot go without them.
static Error applyGuarded(Pipeline &pipeline, ScheduleRequest request,
                          const Gpu &gpu, Error why, PlanNotes &notes) {
  handleAllErrors(std::move(why), [&](const Refusal &r) {
    notes.remarks.push_back(
        {Remark::Kind::Missed, "if-convert",
         "the kernel keeps its guards (-boundary=recompute): " + r.message,
         r.where});
  });
  request.boundary = Boundary::FullTiles;
  return applyPlanned(pipeline, request, gpu, notes);
}

static Error applyPlanned(Pipeline &pipeline, const ScheduleRequest &request,
                          const Gpu &gpu, PlanNotes &notes) {
  PlanNotes planned;
  Expected<std::vector<Step>> steps =
      planSteps(pipeline, request, gpu, planned);
  if (!steps) {
    append_range(notes.remarks, planned.remarks);
    return steps.takeError();
  }
  const bool mayStage = request.isDefault() && any_of(*steps, stages);
  const bool mayAsk = request.boundary == Boundary::Recompute &&
                      !request.scheduleFile && any_of(*steps, converts);
  Pipeline trial = pipeline;
  Error refused = applyAll(trial, *steps, gpu);
  if (refused && mayStage) {
    trial = pipeline;
    planned = {};
    refused = applyNextPlan(trial, std::move(*steps), std::move(refused),
                            request, gpu, planned);
  }
  if (refused && mayAsk)
    return applyGuarded(pipeline, request, gpu, std::move(refused), notes);
  add(std::move(planned), notes);
  pipeline = std::move(trial);
  if (request.isProduct())
    return refuseStep(std::move(refused));
  return request.staging
             ? refuseStaging(std::move(refused), *steps, *request.staging)
             : std::move(refused);
}

/// Applies \p request after the first of `preparations` that can be; false,
/// with \p pipeline as it was, where there is none.
static bool applyPrepared(Pipeline &pipeline, const ScheduleRequest &request,
                          const Gpu &gpu, PlanNotes &notes) {
  for (const std::vector<Step> &steps : preparations(pipeline)) {
    Pipeline prepared = pipeline;
    PlanNotes planned;
    Error e = prepared.applyAll(steps);
    const bool isPrepared = !e;
    if (isPrepared)
      e = applyPlanned(prepared, request, gpu, planned);
    if (!e) {
      pipeline = std::move(prepared);
      add(std::move(planned), notes);
      return true;
    }
    consumeError(std::move(e)); // what refuses the nest as it is says why
    if (isPrepared)
      return false;
  }
  return false;
}

/// Applies \p request after `preparations`, where they help, or without.
static Error applyChosen(Pipeline &pipeline, const ScheduleRequest &request,
                         const Gpu &gpu, PlanNotes &notes) {
  if (applyPrepared(pipeline, request, gpu, notes))
    return Error::success();
  return applyPlanned(pipeline, request, gpu, notes);
}

Error applyRequest(Pipeline &pipeline, const ScheduleRequest &request,
                   const Gpu &gpu, PlanNotes &notes) {
  if (request.scheduleFile)
    return applyPlanned(pipeline, request, gpu, notes);
  Pipeline jammed = pipeline;
  PlanNotes planned;
  if (!jamSiblings(jammed) ||
      errorToBool(applyChosen(jammed, request, gpu, planned)))
    return applyChosen(pipeline, request, gpu, notes);
  pipeline = std::move(jammed);
  add(std::move(planned), notes);
  return Error::success();
}

} // namespace convopt
