//===- Plan.cpp - From a nest and schedules to jobs -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Plan.h"
#include "Domain.h"
#include "convopt/Bench/Facts.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Shorthand.h"
#include "convopt/Schedule/Siblings.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Peak.h"
#include "convopt/Transforms/Unroll.h"
#include "convopt/Verify/ReferenceNest.h"
#include "convopt/Verify/Verify.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt::bench {

//===----------------------------------------------------------------------===//
// Naive and reference: one thread an output
//===----------------------------------------------------------------------===//

/// Threads along x, y and z.
using BlockShape = std::array<int64_t, 3>;

/// Maps one thread to each output, with sums in registers and nothing unrolled.
static Expected<CheckedNest> mapOneOutput(const Nest &nest, const Gpu &gpu,
                                          LegalityOptions legality,
                                          const BlockShape &block) {
  ASSIGN_OR_RETURN(Pipeline pipeline, Pipeline::create(nest, legality));
  jamSiblings(pipeline);
  ASSIGN_OR_RETURN(Roles roles,
                   findRoles(pipeline.nest(), pipeline.dependences()));
  TileSpec spec;
  const unsigned fastest = roles.x                 ? *roles.x
                           : !roles.others.empty() ? roles.others.front()
                           : roles.z               ? *roles.z
                                                   : *roles.y;
  int64_t along = block[0]; // the fastest; what nobody else takes
  for (auto [role, threads] :
       {std::pair(roles.y, block[1]), std::pair(roles.z, block[2])})
    if (role && *role != fastest)
      spec[*role].threads = threads;
    else
      along *= threads;
  spec[fastest].threads = along;
  Remarks remarks;
  ASSIGN_OR_RETURN(
      std::vector<Step> steps,
      expandShorthand(pipeline.nest(), roles, {spec}, gpu, remarks));
  for (const Step &step : steps)
    if (!step.is(unrollPass))
      RETURN_IF_ERROR(pipeline.apply(step));
  return pipeline.checked();
}

Error Plan::mapNaive() {
  static constexpr BlockShape blocks[] = {
      {32, 8, 1}, {16, 16, 1}, {32, 2, 2}, {32, 4, 2}};
  for (const BlockShape &block : blocks) {
    ASSIGN_OR_RETURN(CheckedNest mapped,
                     mapOneOutput(original, gpu, legality, block));
    ASSIGN_OR_RETURN(KernelText text,
                     emitKernel(mapped, gpu, LowerOptions{"_naive", false}));
    // A nest without rows or channels has fewer block shapes.
    if (any_of(naiveVariants, [&](const Candidate &other) {
          return other.text.device == text.device;
        }))
      continue;
    naiveVariants.push_back({"naive", mapped.nest(), text, "", ""});
  }
  ASSIGN_OR_RETURN(Nest wide, referenceNest(original));
  ASSIGN_OR_RETURN(CheckedNest mapped,
                   mapOneOutput(wide, gpu, legality, blocks[0]));
  ASSIGN_OR_RETURN(KernelText text,
                   emitKernel(mapped, gpu, LowerOptions{"_reference", false}));
  reference = {"reference", mapped.nest(), text, "", ""};
  return Error::success();
}

Expected<Plan> Plan::create(Nest original, Gpu gpu, LegalityOptions legality,
                            const std::string &suffix) {
  Plan plan(std::move(original), gpu);
  plan.legality = legality;
  plan.suffix = suffix;
  RETURN_IF_ERROR(plan.mapNaive());
  return plan;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static Expected<Candidate> readEmitted(const CandidateRequest &request,
                                       const std::string &launcher) {
  ASSIGN_OR_RETURN(std::string text, readText(request.file));
  if (!StringRef(text).contains(launcher + "("))
    return refuse("input",
                  "'" + request.file + "' has no function '" + launcher + "'",
                  {},
                  "give a file that convopt emitted from the same source, "
                  "and its -suffix=");
  Candidate candidate;
  candidate.label = request.label;
  candidate.file = request.file;
  candidate.launcher = launcher;
  candidate.text.device = std::move(text);
  return candidate;
}

Expected<Candidate> Plan::emitted(const PlannedKernel &kernel,
                                  const std::string &label) const {
  ASSIGN_OR_RETURN(CheckedNest mapped, kernel.pipeline->checked());
  ASSIGN_OR_RETURN(
      KernelText text,
      emitKernel(mapped, gpu,
                 LowerOptions{suffix, false, {}, kernel.fullTiles()}));
  return Candidate{label,
                   mapped.nest(),
                   text,
                   "",
                   "",
                   kernel.pipeline->steps(),
                   kernel.facts,
                   kernel.notes,
                   kernel.leastBlocks};
}

Expected<std::vector<Candidate>>
Plan::candidates(const CandidateRequest &request) const {
  std::vector<Candidate> all;
  auto add = [&](Expected<Candidate> made) {
    if (made)
      all.push_back(std::move(*made));
    return made.takeError();
  };
  if (!request.file.empty()) {
    RETURN_IF_ERROR(
        add(readEmitted(request, original.function.name + suffix + "_launch")));
    return all;
  }
  const PlanInput source{original, gpu, legality};
  std::vector<PlannedKernel> kernels(1);
  kernels[0].request = request.schedule;
  RETURN_IF_ERROR(kernels[0].addFacts(original, request.facts));
  RETURN_IF_ERROR(kernels[0].plan(source));
  addUsualKernels(source, /*maySplitGeneral=*/true, kernels);
  std::rotate(kernels.begin(), kernels.begin() + 1, kernels.end());
  for (const PlannedKernel &kernel : kernels)
    RETURN_IF_ERROR(add(emitted(kernel, request.label)));
  return all;
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

/// "in_g in global memory, w_c in constant memory": what the launcher fills.
static std::string packedBuffers(const Nest &mapped) {
  std::vector<std::string> buffers;
  for (const Array &a : mapped.arrays)
    if (a.buffer && a.buffer->isOnHost())
      buffers.push_back(a.name + " in " +
                        (a.buffer->memory == convopt::Buffer::Constant
                             ? "constant memory"
                             : "global memory"));
  return join(buffers, ", ");
}

/// "in_s": what a TMA tensor copy fills, by maps that the launcher makes.
static std::string tensorBuffers(const Nest &mapped) {
  std::vector<std::string> buffers;
  for (const Array &a : mapped.arrays)
    if (a.buffer && a.buffer->layout.copyKind == BufferLayout::Tensor)
      buffers.push_back(a.name);
  return join(buffers, ", ");
}

/// Has \p spec, of \p mapped, measured through its launcher where that does
/// more than one launch: fills buffers, makes tensor maps, or runs loops of
/// launches.
static void useLauncher(const Nest &mapped, const KernelLaunch &launch,
                        KernelSpec &spec) {
  const std::string packed = packedBuffers(mapped);
  spec.packs = !packed.empty();
  spec.source.isCapturable = none_of(mapped.arrays, [](const Array &a) {
    return a.buffer && a.buffer->memory == convopt::Buffer::Constant;
  });
  const std::string boxes = tensorBuffers(mapped);
  if (!spec.packs && boxes.empty() && launch.hostLoops.empty())
    return;
  spec.source.compiler = Compiler::Nvcc;
  spec.note = "timed through its launcher";
  if (spec.packs)
    spec.note += ", packing included: " + packed;
  if (!boxes.empty())
    spec.note += ", tensor maps included: " + boxes;
  if (!launch.hostLoops.empty())
    spec.note += ", all launches included: " + join(launch.hostLoops, ", ");
}

static std::string resolveType(const Nest &nest, const Shape &shape,
                               const std::string &type) {
  if (!is_contained(nest.function.typeParams, type))
    return type;
  return shape.types.at(type);
}

/// The value that verification passes for a scalar that is no size, too.
static Expected<uint64_t> scalarBits(const Argument &a) {
  StringRef type = StringRef(a.type).split('@').first.trim();
  type.consume_front("const ");
  uint64_t bits = 0;
  if (type == "float") {
    const float value = 2;
    std::memcpy(&bits, &value, sizeof value);
  } else if (type == "double") {
    const double value = 2;
    std::memcpy(&bits, &value, sizeof value);
  } else if (is_contained({"int", "unsigned", "unsigned int", "long",
                           "long long", "size_t", "bool"},
                          type)) {
    bits = 2;
  } else {
    return refuse("structure",
                  "'" + a.name + "' is a " + type.str() +
                      ", for which no value is known",
                  {}, "measure a function of arrays and sizes");
  }
  return bits;
}

/// The arguments of \p nest, whose arrays are those of \p original and then,
/// of a reference, magnitudes.
static Expected<std::vector<ArgumentSpec>> argumentsOf(const Nest &original,
                                                       const Nest &nest,
                                                       ArrayRef<int64_t> values,
                                                       bool isReference) {
  std::vector<unsigned> order, written; // arrays of arguments; of outputs
  for (const Argument &a : original.function.arguments)
    if (a.role == Argument::ArrayArg)
      order.push_back(a.index);
  for (unsigned k = 0; k != original.arrays.size(); ++k)
    if (!original.arrays[k].isLocal() &&
        original.arrays[k].role != Array::Input)
      written.push_back(k);
  auto place = [&](unsigned array) {
    return unsigned(find(order, array) - order.begin());
  };
  std::vector<ArgumentSpec> specs;
  size_t magnitudes = 0;
  for (const auto &[position, a] : enumerate(nest.function.arguments)) {
    if (position >= original.function.arguments.size()) {
      specs.push_back(
          {ArgumentSpec::Magnitude, place(written[magnitudes++]), 0});
    } else if (a.role == Argument::ParamArg) {
      specs.push_back({ArgumentSpec::Number, 0, uint64_t(values[a.index])});
    } else if (a.role == Argument::ScalarArg) {
      ASSIGN_OR_RETURN(uint64_t bits, scalarBits(a));
      specs.push_back({ArgumentSpec::Number, 0, bits});
    } else {
      const bool isValue =
          isReference && original.arrays[a.index].role != Array::Input;
      specs.push_back({isValue ? ArgumentSpec::Value : ArgumentSpec::Data,
                       place(a.index), 0});
    }
  }
  return specs;
}

Expected<Job> Plan::emptyJob(const Shape &shape) const {
  Job job;
  const std::vector<int64_t> values = paramValues(original, shape);
  for (const Argument &a : original.function.arguments) {
    if (a.role != Argument::ArrayArg)
      continue;
    const Array &array = original.arrays[a.index];
    std::optional<int64_t> elements = elementsOf(array, values);
    std::string type = resolveType(original, shape, array.elementType);
    if (!elements || *elements < 1 || *elements > INT64_MAX / 64)
      return refuse("shape", "'" + array.name + "' cannot have these sizes");
    if (type != "float" && type != "double")
      return refuse("shape",
                    "'" + array.name + "' is an array of " + type +
                        "; float and double can be measured",
                    array.range);
    job.arrays.push_back({array.name, type, *elements, array.role});
  }
  job.tolerance = {isExactOnIntegers(original), sumDepth(original, values)};
  ASSIGN_OR_RETURN(StaticFacts facts, countWork(original, shape));
  job.facts = facts;
  ASSIGN_OR_RETURN(KernelSpec spec, specFor(reference, shape, Compiler::Nvrtc));
  job.reference = spec;
  return job;
}

static std::string printBlock(const BlockShape &block) {
  return "block " + std::to_string(block[0]) + "x" + std::to_string(block[1]) +
         "x" + std::to_string(block[2]);
}

/// `for R=3, for S=3`
std::string Plan::noteOn(ArrayRef<Assumption> facts) const {
  auto isFree = [](const Param &p) { return !p.definition; };
  if (!facts.empty() &&
      facts.size() == size_t(count_if(original.params, isFree)))
    return "for these sizes alone";
  std::string note;
  for (const Assumption &a : facts)
    note += (note.empty() ? "for " : ", for ") + factText(a).str();
  return note;
}

Expected<KernelSpec> Plan::specFor(const Candidate &candidate,
                                   const Shape &shape,
                                   Compiler compiler) const {
  const std::vector<int64_t> values = paramValues(original, shape);
  const std::vector<std::string> spelled = templateArguments(original, shape);
  const bool isFile = !candidate.file.empty();
  const bool isReference = &candidate == &reference;
  KernelSpec spec;
  KernelSource &source = spec.source;
  source.label = candidate.label;
  ASSIGN_OR_RETURN(std::vector<ArgumentSpec> arguments,
                   argumentsOf(original, isFile ? original : candidate.mapped,
                               values, isReference));
  spec.arguments = arguments;
  source.isFile = isFile;
  source.compiler = isFile ? Compiler::Nvcc : compiler;
  if (isFile) {
    source.code = candidate.text.device;
    source.launcher = candidate.launcher +
                      (spelled.empty() ? "" : "<" + join(spelled, ", ") + ">");
    source.entry = original.function.name + suffix + "_kernel";
    source.folder = sys::path::parent_path(candidate.file).str();
    spec.note = "timed through its launcher, with all that it does";
    return spec;
  }
  const bool isNaive = candidate.label == "naive";
  const std::string kernelSuffix = isReference ? "_reference"
                                   : isNaive   ? "_naive"
                                               : suffix;
  ASSIGN_OR_RETURN(KernelLaunch launch,
                   launchOf(candidate.mapped, gpu,
                            LowerOptions{kernelSuffix, false}, values,
                            spelled));
  if (launch.nearlyFull < candidate.leastBlocks)
    return refuse("shape", "the kernel is for " +
                               std::to_string(candidate.leastBlocks) +
                               " blocks or more");
  useLauncher(candidate.mapped, launch, spec);
  source.code = candidate.text.device;
  if (source.compiler == Compiler::Nvcc) {
    source.code =
        candidate.text.includes + source.code + "\n" + candidate.text.launcher;
  }
  source.entry = launch.entry;
  source.launcher = launch.launcher;
  source.block = launch.block;
  source.dynamicSharedBytes = launch.dynamicSharedBytes;
  spec.grid = launch.grid;
  spec.note += spec.note.empty() || candidate.facts.empty() ? "" : ", ";
  spec.note += noteOn(candidate.facts);
  if (candidate.leastBlocks)
    spec.note +=
        ", for " + std::to_string(candidate.leastBlocks) + " blocks or more";
  if (isNaive) {
    spec.note = printBlock(launch.block);
    source.label += " " + spec.note;
  }
  return spec;
}

Expected<Job> Plan::naiveJob(const Shape &shape) const {
  ASSIGN_OR_RETURN(Job job, emptyJob(shape));
  job.label = "naive";
  for (const Candidate &c : naiveVariants) {
    ASSIGN_OR_RETURN(KernelSpec spec, specFor(c, shape, Compiler::Nvrtc));
    job.variants.push_back(std::move(spec));
  }
  addBlock(naiveVariants.front().mapped, job.facts);
  return job;
}

static Error checkFacts(ArrayRef<Assumption> facts, ArrayRef<int64_t> values) {
  for (const Assumption &a : facts) {
    const int64_t value =
        a.fact.expr.evaluate([&](Var v) { return values[v.id]; }).value_or(-1);
    if (a.fact.kind == Constraint::Zero ? value != 0 : value < 0)
      return refuse("shape", "the kernel is for " + factText(a).str());
  }
  return Error::success();
}

Expected<Job> Plan::job(const Candidate &candidate, const Shape &shape,
                        Compiler compiler) const {
  RETURN_IF_ERROR(checkFacts(candidate.facts, paramValues(original, shape)));
  ASSIGN_OR_RETURN(Job job, emptyJob(shape));
  job.label = candidate.label;
  ASSIGN_OR_RETURN(KernelSpec spec, specFor(candidate, shape, compiler));
  if (candidate.file.empty())
    addBlock(candidate.mapped, job.facts);
  job.facts.predicted = predict(candidate, paramValues(original, shape));
  // Sizes that the nest leaves open are known here.
  if (spec.source.dynamicSharedBytes > 0)
    job.facts.sharedBytes = spec.source.dynamicSharedBytes;
  job.variants.push_back(std::move(spec));
  return job;
}

//===----------------------------------------------------------------------===//
// The model's times
//===----------------------------------------------------------------------===//

/// \p nest with \p values for its sizes.
static Expected<Nest> withSizes(const Nest &nest, ArrayRef<int64_t> values) {
  std::vector<Assumption> facts;
  for (auto [id, p] : enumerate(nest.params))
    if (!p.definition)
      facts.push_back(
          {{Constraint::Zero, IndexExpr::param(id) - values[id]}, p.name});
  ASSIGN_OR_RETURN(SpecialNest special, specialise(nest, facts));
  return std::move(special.nest);
}

std::optional<double> Plan::predict(const Candidate &candidate,
                                    ArrayRef<int64_t> values) const {
  const PlanNotes &notes = candidate.notes;
  std::optional<double> cycles = notes.productCycles;
  if (notes.tile) {
    const auto sized = expectedToOptional(withSizes(*notes.tiled, values));
    if (const std::optional<StagedCost> cost =
            sized ? costOf(*sized, notes.roles, gpu, *notes.tile)
                  : std::nullopt)
      cycles = cost->cycles;
  }
  const auto peak = expectedToOptional(findPeak("", gpu.name));
  if (!peak || !cycles)
    return std::nullopt;
  return *cycles / (1e3 * double(peak->boostMegahertz));
}

} // namespace convopt::bench
