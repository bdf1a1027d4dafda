//===- main.cpp - convopt-opt ---------------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `convopt-opt conv.nest -strip-mine=y,16 -interchange=y_o,x,y_i`
///
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "convopt/Emit/Emit.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Nest/Text.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Resources.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace convopt;

static Expected<Nest> readNest(const std::string &path) {
  Expected<std::string> text = readText(path);
  return text ? parseNest(*text) : text.takeError();
}

/// Applies what the options ask for, with remarks even where it is refused.
static Error applySteps(const Options &options, Pipeline &pipeline) {
  const ScheduleRequest &request = options.shared.request;
  PlanNotes notes;
  Error result = Error::success();
  const bool isAsked = request.hasShorthand() || request.isProduct();
  if (isAsked || !options.shared.remarks.analysis.empty()) {
    Expected<Gpu> gpu = findGpu(options.shared.arch);
    if (!gpu)
      return gpu.takeError();
    if (isAsked)
      result = applyRequest(pipeline, request, *gpu, notes);
    else if (auto planned = planSteps(pipeline, request, *gpu, notes); !planned)
      return planned.takeError();
  }
  for (const Step &step : options.steps)
    if (!result)
      result = pipeline.apply(step);
  append_range(notes.remarks, pipeline.remarks());
  print(notes.remarks, options.shared.remarks, options.input, errs());
  return result;
}

/// What is made of a mapped nest.
static Expected<std::string> lowered(const Options &options,
                                     const Pipeline &pipeline) {
  Expected<Gpu> gpu = findGpu(options.shared.arch);
  if (!gpu)
    return gpu.takeError();
  Expected<CheckedNest> nest = pipeline.checked();
  if (!nest)
    return nest.takeError();
  if (Error e = checkResources(pipeline, *gpu))
    return std::move(e);
  LowerOptions emit;
  emit.fullTiles = options.shared.request.boundary != Boundary::Guards;
  if (options.emission == Emission::Cuda) {
    Expected<AddedText> added = emitCuda(*nest, *gpu, emit);
    if (!added)
      return added.takeError();
    return added->text;
  }
  emit.assertions = options.assertions;
  Expected<std::vector<LoweredKernel>> kernels =
      lowerKernels(*nest, *gpu, emit);
  if (!kernels)
    return kernels.takeError();
  std::string text;
  for (const LoweredKernel &kernel : *kernels)
    text += (text.empty() ? "" : "\n") + programText(kernel.program);
  return text;
}

static Expected<std::string> textOf(const Options &options,
                                    const Pipeline &pipeline) {
  std::string text;
  raw_string_ostream os(text);
  PrintOptions print;
  print.locations = options.locations;
  if (options.emission == Emission::Nest)
    convopt::print(pipeline.nest(), os, print);
  else if (options.emission == Emission::Dependences)
    pipeline.dependences().print(os);
  else if (options.emission == Emission::Schedule)
    os << str(pipeline.steps());
  else
    return lowered(options, pipeline);
  return text;
}

static Error run(const Options &options) {
  if (Error e = checkOutputPath(options.output, options.input))
    return e;
  Expected<Nest> nest = readNest(options.input);
  if (!nest)
    return nest.takeError();
  Expected<Pipeline> pipeline = Pipeline::create(
      std::move(*nest), options.shared.legality, options.shared.hook(errs()));
  if (!pipeline)
    return pipeline.takeError();
  if (Error e = applySteps(options, *pipeline))
    return e;
  Expected<std::string> text = textOf(options, *pipeline);
  if (!text)
    return text.takeError();
  return writeOutput(options.output, *text);
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  return runTool([&] {
    Options options;
    Error error = options.parse(argc, argv);
    if (!error)
      error = run(options);
    std::string name = options.input == "-" ? "<stdin>" : options.input;
    return int(report(std::move(error), errs(), name));
  });
}
