//===- Verification.cpp - Running what was emitted -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Frontend/BuildSettings.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace convopt {

/// \p k of \p part as it is in the first iterations of the loops around it,
/// whose sizes nobody gives.
static Error enterLoops(const PlannedFile &part, PlannedKernel &k) {
  Nest nest = part.source.nest;
  const LaunchLoops &around = part.inWhole->around;
  for (const Loop *l : around.loops) {
    auto size = around.sizes.find(l->id);
    if (size == around.sizes.end())
      continue;
    const Bound &first = l->lower.front();
    nest.params[size->second].definition =
        IndexExpr::floorDiv(first.expr + (first.divisor - 1),
                            IndexExpr(first.divisor))
            .substitute([&](Var v) { return around.sizeOf(v); });
    erase_if(nest.function.arguments, [&](const Argument &a) {
      return a.role == Argument::ParamArg && a.index == size->second;
    });
  }
  const std::vector<Step> steps = k.pipeline->steps();
  if (Error e = k.create({nest, part.gpu, part.options.shared.legality}))
    return e;
  return k.pipeline->applyAll(steps);
}

/// In the order in which the launcher tries them.
static Expected<std::vector<LaunchedKernel>>
launchedKernels(const PlannedFile &file) {
  std::vector<LaunchedKernel> launched;
  unsigned part = 0;
  auto add = [&](const PlannedFile &of, PlannedKernel k) -> Error {
    // What a guard keeps from the first iterations has other loops there.
    if (of.inWhole && !of.inWhole->around.sizes.empty() &&
        errorToBool(enterLoops(of, k)))
      return Error::success();
    ASSIGN_OR_RETURN(CheckedNest nest, k.pipeline->checked());
    LowerOptions emit = of.lowerOptions();
    emit.fullTiles = k.fullTiles();
    ASSIGN_OR_RETURN(std::vector<LoweredKernel> kernels,
                     lowerKernels(nest, of.gpu, emit));
    // One that adds up parts of sums has the tiles of the first.
    launched.push_back({of.kernelName(k), k.pipeline->nest(), k.facts,
                        std::move(kernels.front().program), k.leastBlocks,
                        part});
    return Error::success();
  };
  for (const PlannedFile *of : file.launched()) {
    for (const PlannedKernel &k : of->versions())
      RETURN_IF_ERROR(add(*of, k));
    RETURN_IF_ERROR(add(*of, of->general()));
    ++part;
  }
  return launched;
}

/// The source's nest with what the launcher checks: steps ask for facts of
/// their own, and where the general kernel copies nothing of an array, less of
/// it may be there.
static Nest launchedNest(const PlannedFile &file) {
  // With the loops of the parts, where it has any.
  Nest nest = file.sequence ? file.sequence->whole : file.source.nest;
  if (!file.sequence)
    for (const Assumption &a : file.general().pipeline->nest().assumptions)
      if (none_of(nest.assumptions,
                  [&](const Assumption &b) { return a.fact == b.fact; }))
        nest.assumptions.push_back(a);
  for (const PlannedFile *one : file.launched())
    for (unsigned id = 0; id != nest.arrays.size(); ++id)
      if (none_of(one->general().pipeline->nest().assumptions,
                  [&](const Assumption &a) { return a.spanned == id; }))
        readWhole(nest, id);
  return nest;
}

static Expected<std::vector<Shape>>
shapesToVerify(const PlannedFile &file, ArrayRef<LaunchedKernel> launched) {
  const Nest nest = withAssumptions(launchedNest(file), file.general().facts);
  std::vector<Shape> shapes;
  for (const std::string &text : file.options.shapes) {
    ASSIGN_OR_RETURN(Shape shape, parseShape(text, nest, file.source.instances,
                                             /*mayBeEmpty=*/true));
    shapes.push_back(shape);
  }
  if (!shapes.empty())
    return shapes;
  return defaultShapes(nest, launched, file.gpu, file.source.instances);
}

static Expected<VerifyOptions> verifyOptions(const PlannedFile &file) {
  const Options &options = file.options;
  const SourceNest &source = file.source;
  const std::vector<const PlannedKernel *> kernels = file.launchedKernels();
  VerifyOptions result;
  result.suffix = options.suffix;
  result.orderKept = file.keepsOrder();
  result.signedZeros =
      all_of(kernels, std::mem_fn(&PlannedKernel::keepsSignsOfZeros));
  result.isC = source.isC;
  result.isLocal = source.isLocal;
  result.isOverloaded = source.isOverloaded;
  if (!source.isC)
    for (const DeclaredName &d : source.declared)
      result.macros.push_back(d.name);
  result.scope = source.scope;
  // One of a part computes a part.
  for (const PlannedKernel &k : file.versions())
    result.versions.push_back({file.kernelName(k), k.leastBlocks != 0});
  // The launcher leaves the general kernel what no version takes.
  if (!file.versions().empty() && !file.sequence) {
    ASSIGN_OR_RETURN(CheckedNest nest, file.general().pipeline->checked());
    LowerOptions emit = file.lowerOptions();
    result.generalName = file.kernelName(file.general()) + "_general";
    emit.launcher = result.generalName + "_launch";
    ASSIGN_OR_RETURN(std::string launcher, emitLauncher(nest, file.gpu, emit));
    result.generalLauncher = std::move(launcher);
  }
  ASSIGN_OR_RETURN(std::vector<LaunchedKernel> launched, launchedKernels(file));
  ASSIGN_OR_RETURN(std::vector<Shape> shapes, shapesToVerify(file, launched));
  result.shapes = shapes;
  result.refusesOverlap = true;
  result.refused =
      refusedShapes(launchedNest(file), launched, file.gpu, shapes);
  // Those that are chosen have room, and each of several parts has to have it.
  if (!options.shapes.empty() && file.parts.empty())
    erase_if(result.shapes, [&](const Shape &s) {
      const bool isRefused = !haveRoom(launched, file.gpu, s);
      if (isRefused)
        result.withoutRoom.push_back(s);
      return isRefused;
    });
  if (options.shapes.empty())
    result.kernelsToRun = file.parts.empty() ? kernelsToRun(launched)
                                             : std::vector<std::string>();
  return result;
}

/// Runs the emitted text \p emitted.
static Error run(const PlannedFile &file, const std::string &emitted) {
  const Options &options = file.options;
  ASSIGN_OR_RETURN(VerifyOptions asked, verifyOptions(file));
  const Nest nest = launchedNest(file);
  ASSIGN_OR_RETURN(auto driver, emitVerifyDriver(nest, "emitted.cu", asked));
  VerifyRun run;
  for (const Shape &s : asked.shapes)
    run.statements += countStatements(nest, s);
  run.statements /= countInstances(nest, asked.shapes);
  run.shapes = asked.shapes.size();
  run.secondsToRun = options.verifyTimeout;
  run.emitted = emitted;
  run.edited = options.verifiedFile;
  run.driver = driver;
  if (options.link == Link::Beside)
    run.naive = edited(file.source.text, withoutBroken(file.source, {}));
  else if (file.source.isC)
    run.naive = emitted;
  run.naiveIsC = file.source.isC;
  if (options.shapes.empty()) // sizes that are asked for show what they show
    for (const PlannedFile *one : file.launched())
      for (const PlannedKernel &k : one->kernels)
        run.kernels.push_back(one->kernelName(k) + "_kernel");
  run.arguments = options.clangArguments;
  run.sourceDirectory = folderOf(options.input);
  run.arch = options.shared.arch;
  run.where = *options.verify;
  run.rewriteLaunches = rewriteLaunchesForHost;
  return runVerification(run, errs());
}

/// The text of an output that somebody has edited, which compilers are to name,
/// with its includes as those of the source.
static Expected<std::string> readEdited(const Options &options) {
  const std::string &path = options.verifiedFile;
  auto text = MemoryBuffer::getFile(path);
  if (!text)
    return refuse(
        "usage", "'" + path + "' cannot be read: " + text.getError().message());
  std::string emitted = "#line 1 \"";
  raw_string_ostream(emitted).write_escaped(path)
      << "\"\n"
      << relocateIncludes((*text)->getBuffer(), folderOf(path),
                          folderOf(options.input));
  return emitted;
}

Error verify(const PlannedFile &file, const std::string &emitted) {
  if (file.options.verifiedFile.empty())
    return run(file, emitted);
  Expected<std::string> edited = readEdited(file.options);
  return edited ? run(file, *edited) : edited.takeError();
}

Expected<std::string> verifyDriver(const PlannedFile &file) {
  ASSIGN_OR_RETURN(VerifyOptions asked, verifyOptions(file));
  return emitVerifyDriver(launchedNest(file), "emitted.cu", asked);
}

} // namespace convopt
