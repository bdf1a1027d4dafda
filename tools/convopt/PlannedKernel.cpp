//===- PlannedKernel.cpp - One kernel of the emitted file -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedKernel.h"
#include "convopt/Schedule/Request.h"
#include "convopt/Schedule/UsualSizes.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Stage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// Refuses \p facts of which no statement of \p pipeline has an iteration.
static Error checkRuns(const Pipeline &pipeline, ArrayRef<Assumption> facts) {
  // Where none has, all stay in the nest.
  if (facts.empty() || pipeline.dependences().deadStatements().empty())
    return Error::success();
  std::vector<std::string> texts;
  for (const Assumption &a : facts)
    texts.push_back(factText(a).str());
  return refuse("usage",
                "with -assume=" + join(texts, ",") + ", the loops of '" +
                    pipeline.nest().function.name + "' have no iteration",
                {}, "give sizes for which they have one");
}

Error PlannedKernel::create(const Nest &source, const SharedOptions &shared,
                            raw_ostream &printed) {
  Expected<SpecialNest> special = specialise(source, facts);
  if (!special)
    return special.takeError();
  facts = std::move(special->facts);
  Expected<Pipeline> created = Pipeline::create(
      std::move(special->nest), shared.legality, shared.hook(printed));
  if (!created)
    return created.takeError();
  pipeline = std::move(*created);
  return checkRuns(*pipeline, facts);
}

Error PlannedKernel::transform(const Gpu &gpu) {
  PlanNotes notes;
  Error e = applyRequest(*pipeline, request, gpu, notes);
  tile = std::move(notes.tile);
  append_range(remarks, notes.remarks);
  append_range(remarks, pipeline->remarks());
  if (name.empty())
    return e;
  nameRemarks();
  return handleErrors(std::move(e), [&](std::unique_ptr<Refusal> r) -> Error {
    r->message = name + ": " + r->message;
    return Error(std::move(r));
  });
}

void PlannedKernel::nameRemarks() {
  // Of what is said without being asked for, that of the general kernel will
  // do.
  erase_if(remarks, [](const Remark &r) { return r.isAlwaysPrinted(); });
  for (Remark &r : remarks)
    r.message = name + ": " + r.message;
}

bool PlannedKernel::keepsOrder() const {
  Error e = checkLegality(pipeline->dependences(), pipeline->nest(), {});
  bool kept = !e;
  consumeError(std::move(e));
  return kept;
}

bool PlannedKernel::keepsSignsOfZeros() const {
  return none_of(pipeline->steps(), [](const Step &step) {
    return step.pass->effect == Pass::Effect::Values &&
           !StringRef(step.str()).ends_with(",exact");
  });
}

static Error parseFacts(ArrayRef<std::string> texts, const Nest &source,
                        std::vector<Assumption> &facts) {
  for (const std::string &text : texts) {
    Expected<Assumption> fact = parseFact(source, text);
    if (!fact)
      return fact.takeError();
    facts.push_back(std::move(*fact));
  }
  return Error::success();
}

/// `K7_C4`, which no other kernel has.
static std::string nameOf(const VersionOptions &v,
                          ArrayRef<PlannedKernel> others) {
  std::string name;
  for (const std::string &fact : v.facts)
    name += (name.empty() ? "" : "_") + identifierOf(fact);
  std::string unique = name.empty() ? "v1" : name;
  for (unsigned n = 2;
       any_of(others, [&](const PlannedKernel &k) { return k.name == unique; });
       ++n)
    unique = name.empty() ? "v" + std::to_string(n)
                          : name + "_v" + std::to_string(n);
  return unique;
}

/// What is said of a kernel for filters of \p width, with default tiles.
static Expected<VersionOptions>
widthVersion(const Options &o, const Nest &source, unsigned width) {
  Expected<std::vector<std::string>> facts = filterFacts(source, width);
  if (!facts)
    return facts.takeError();
  VersionOptions v;
  v.facts = std::move(*facts);
  v.request.boundary = o.shared.request.boundary;
  return v;
}

/// Adds the kernel of \p v to \p kernels, the general one first.
static Error addVersion(const VersionOptions &v, const Nest &source,
                        ArrayRef<Assumption> general,
                        std::vector<PlannedKernel> &kernels) {
  PlannedKernel k;
  k.name = nameOf(v, kernels);
  k.request = v.request;
  k.leastBlocks = v.leastBlocks;
  k.facts = general;
  if (Error e = parseFacts(v.facts, source, k.facts))
    return e;
  kernels.push_back(std::move(k));
  return Error::success();
}

Expected<std::vector<PlannedKernel>> requestedKernels(const Options &o,
                                                      const Nest &source) {
  std::vector<PlannedKernel> kernels(1);
  kernels[0].request = o.shared.request;
  if (Error e = parseFacts(o.facts, source, kernels[0].facts))
    return std::move(e);
  const std::vector<Assumption> general = kernels[0].facts;
  for (const VersionOptions &v : o.versions)
    if (Error e = addVersion(v, source, general, kernels))
      return std::move(e);
  for (unsigned width : o.filterWidths) {
    Expected<VersionOptions> v = widthVersion(o, source, width);
    if (!v)
      return v.takeError();
    if (Error e = addVersion(*v, source, general, kernels))
      return std::move(e);
  }
  for (PlannedKernel &k : kernels)
    k.request.shareConstants(kernels.size());
  return kernels;
}

bool PlannedKernel::stages() const {
  return any_of(pipeline->steps(),
                [](const Step &step) { return step.is(stagePass); });
}

/// Creates and transforms \p k, the kernel of a default.
static Error plan(PlannedKernel &k, const Options &o, const Nest &source,
                  const Gpu &gpu) {
  if (Error e = k.create(source, o.shared, errs()))
    return e;
  return k.transform(gpu);
}

/// Plans \p usual as the last of \p kernels, one of \p count; an error says why
/// it is no better than the general one.
static Error addUsual(const UsualKernel &usual, size_t count, const Options &o,
                      const Nest &source, const Gpu &gpu,
                      std::vector<PlannedKernel> &kernels) {
  VersionOptions v;
  v.facts = usual.facts;
  v.request.boundary = o.shared.request.boundary;
  if (usual.isPipelined)
    v.request.staging = "pipelined";
  const std::vector<Assumption> general = kernels[0].facts;
  if (Error e = addVersion(v, source, general, kernels))
    return e;
  PlannedKernel &k = kernels.back();
  if (usual.facts.empty())
    k.name = "staged";
  k.isUsual = true;
  k.request.shareConstants(count);
  if (Error e = plan(k, o, source, gpu))
    return e;
  return k.stages() ? Error::success()
                    : refuse("structure", "nothing would be staged",
                             source.function.range);
}

/// Has the general kernel read global memory: what a version stages for usual
/// strides it need not stage in part, which asks that all of that is there.
static Error readGlobalMemory(const Options &o, const Nest &source,
                              const Gpu &gpu, PlannedKernel &general) {
  PlannedKernel plain;
  plain.request = general.request;
  plain.request.staging = "none";
  plain.facts = general.facts;
  if (Error e = plan(plain, o, source, gpu))
    return e;
  general = std::move(plain);
  return Error::success();
}

/// Makes two of \p kernels[\p k], if it stages: one for many outputs, which
/// comes first, and one for few, if that is faster for some sizes. Of the
/// general kernel the one for few is what remains the general one.
static void splitByOutputs(const Options &o, const Nest &source, const Gpu &gpu,
                           std::vector<PlannedKernel> &kernels, size_t k) {
  PlannedKernel &many = kernels[k];
  if (!many.stages() || areOutputsKnown(many.pipeline->original()))
    return;
  // A schedule that is printed is one to go on from: that for many outputs.
  if (k == 0 && o.emission == Emission::Schedule)
    return;
  PlannedKernel few;
  few.name = k == 0 ? "" : many.name + "_few";
  few.request = many.request;
  few.request.fewOutputs = true;
  few.facts = many.facts;
  few.isUsual = many.isUsual;
  if (Error e = plan(few, o, source, gpu))
    return consumeError(std::move(e));
  if (!many.tile || !few.tile || !few.stages())
    return;
  const Pipeline &p = *few.pipeline;
  Expected<Roles> roles = findRoles(p.original(), p.dependences());
  if (!roles)
    return consumeError(roles.takeError());
  const std::optional<int64_t> least =
      leastBlocks(p.original(), *roles, gpu, *many.tile, *few.tile,
                  isFilterOfTemplate(p.original()));
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

void addUsualKernels(const Options &o, const Nest &source, const Gpu &gpu,
                     std::vector<PlannedKernel> &kernels) {
  if (!o.shared.request.isDefault() || kernels.size() > 1)
    return;
  Remarks missed;
  const std::vector<UsualKernel> all = usualKernels(
      kernels[0].pipeline->original(), kernels[0].stages(), missed);
  for (const UsualKernel &usual : all) {
    const size_t before = kernels.size();
    handleAllErrors(addUsual(usual, all.size() + 1, o, source, gpu, kernels),
                    [&](const Refusal &why) {
                      kernels.erase(kernels.begin() + before, kernels.end());
                      missed.push_back(usual.leftOut(why));
                    });
  }
  if (kernels.size() > 1 && kernels[0].stages())
    consumeError(readGlobalMemory(o, source, gpu, kernels[0]));
  splitByOutputs(o, source, gpu, kernels, kernels.size() > 1 ? 1 : 0);
  append_range(kernels[0].remarks, missed);
}

} // namespace convopt
