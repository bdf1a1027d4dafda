//===- Request.cpp - From options to steps --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Request.h"
#include "convopt/Schedule/DefaultTile.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Resources.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Shorthand.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace convopt {

Expected<std::vector<Step>> readSchedule(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> text =
      MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!text)
    return refuse("input",
                  "cannot read '" + path.str() +
                      "': " + text.getError().message(),
                  {}, "-schedule names a file with a step on each line");
  return parseSchedule((*text)->getBuffer(), path);
}

/// Whether \p steps are legal and what a block stages has a constant size that
/// it has room for; else why not.
static Error checkStaged(const Nest &nest, const std::vector<Step> &steps,
                         const Gpu &gpu) {
  // Whether fills are licensed is asked when the steps are taken.
  LegalityOptions licensed;
  licensed.finiteMath = licensed.noSignedZeros = true;
  Expected<Pipeline> pipeline = Pipeline::create(nest, licensed);
  if (!pipeline)
    return pipeline.takeError();
  for (const Step &step : steps)
    if (Error e = pipeline->apply(step))
      return e;
  const Nest &staged = pipeline->nest();
  for (const Array &a : staged.arrays)
    if (a.buffer && !a.buffer->isOnHost() && !constantElements(staged, a))
      return refuse("limit",
                    "the size of '" + a.name +
                        "' is known at run time, which may be too large",
                    a.range);
  return checkResources(*pipeline, gpu);
}

/// Staged where that is sure to run, else from global memory.
static Expected<std::vector<Step>> planDefault(const Nest &nest,
                                               const Roles &roles, bool fills,
                                               const Gpu &gpu,
                                               Remarks &remarks) {
  StagingSpec pipelined;
  pipelined.depth = 2;
  Remarks made;
  Expected<std::vector<Step>> staged = expandShorthand(
      nest, roles, {defaultTile(nest, roles, gpu, true), pipelined, fills}, gpu,
      made);
  Error why = staged ? checkStaged(nest, *staged, gpu) : staged.takeError();
  if (!why) {
    append_range(remarks, made);
    return staged;
  }
  handleAllErrors(std::move(why), [&](const Refusal &r) {
    remarks.push_back({Remark::Kind::Missed, "stage",
                       "left out -staging=pipelined: " + r.message, r.where});
  });
  return expandShorthand(nest, roles,
                         {defaultTile(nest, roles, gpu), std::nullopt, fills},
                         gpu, remarks);
}

/// Of the tiles that are not given, the default's.
static Expected<TileSpec> chooseTile(const Nest &nest,
                                     const DependenceAnalysis &dependences,
                                     const Roles &roles,
                                     const ScheduleRequest &request,
                                     const Gpu &gpu, bool staged) {
  TileSpec spec;
  if (!request.tile)
    spec = defaultTile(nest, roles, gpu, staged);
  else if (Error e = parseTile(*request.tile, nest, dependences, roles, spec))
    return std::move(e);
  if (request.registers) {
    for (auto &[loop, tile] : spec)
      tile.outputs = 1;
    if (Error e =
            parseRegisters(*request.registers, nest, dependences, roles, spec))
      return std::move(e);
  }
  return spec;
}

Expected<std::vector<Step>> planSteps(const Nest &nest,
                                      const DependenceAnalysis &dependences,
                                      const ScheduleRequest &request,
                                      const Gpu &gpu, Remarks &remarks) {
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
  Expected<Roles> roles = findRoles(nest, dependences);
  if (!roles)
    return roles.takeError();
  append_range(remarks, roleRemarks(nest, dependences, *roles));
  if (!request.hasShorthand())
    return planDefault(nest, *roles, request.boundary == Boundary::Fill, gpu,
                       remarks);
  std::optional<StagingSpec> staging;
  if (request.staging) {
    Expected<std::optional<StagingSpec>> parsed =
        parseStaging(*request.staging);
    if (!parsed)
      return parsed.takeError();
    staging = *parsed;
  }
  Expected<TileSpec> spec =
      chooseTile(nest, dependences, *roles, request, gpu, staging.has_value());
  if (!spec)
    return spec.takeError();
  return expandShorthand(nest, *roles,
                         {*spec, staging, request.boundary == Boundary::Fill},
                         gpu, remarks);
}

} // namespace convopt
