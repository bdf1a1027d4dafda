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
#include "llvm/Support/InitLLVM.h"

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
    ASSIGN_OR_RETURN(Gpu gpu, findGpu(options.shared.arch));
    if (isAsked)
      result = applyRequest(pipeline, request, gpu, notes);
    else if (auto planned = planSteps(pipeline, request, gpu, notes); !planned)
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
  ASSIGN_OR_RETURN(Gpu gpu, findGpu(options.shared.arch));
  ASSIGN_OR_RETURN(CheckedNest nest, pipeline.checked());
  RETURN_IF_ERROR(checkResources(pipeline, gpu));
  LowerOptions emit;
  emit.fullTiles = options.shared.request.boundary != Boundary::Guards;
  if (options.emission == Emission::Cuda) {
    ASSIGN_OR_RETURN(AddedText added, emitCuda(nest, gpu, emit));
    return added.text;
  }
  emit.assertions = options.assertions;
  ASSIGN_OR_RETURN(std::vector<LoweredKernel> kernels,
                   lowerKernels(nest, gpu, emit));
  std::string text;
  for (const LoweredKernel &kernel : kernels)
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
  RETURN_IF_ERROR(checkOutputPath(options.output, options.input));
  ASSIGN_OR_RETURN(Nest nest, readNest(options.input));
  ASSIGN_OR_RETURN(Pipeline pipeline,
                   Pipeline::create(std::move(nest), options.shared.legality,
                                    options.shared.hook(errs())));
  RETURN_IF_ERROR(applySteps(options, pipeline));
  ASSIGN_OR_RETURN(std::string text, textOf(options, pipeline));
  return writeOutput(options.output, text);
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
