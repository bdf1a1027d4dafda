//===- PlannedFile.cpp - A source and what becomes of it -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Schedule/UsualSizes.h"

using namespace llvm;

namespace convopt {

std::vector<const PlannedFile *> PlannedFile::launched() const {
  std::vector<const PlannedFile *> all;
  for (const PlannedFile &one : parts)
    all.push_back(&one);
  return all.empty() ? std::vector{this} : all;
}

std::vector<const PlannedKernel *> PlannedFile::launchedKernels() const {
  std::vector<const PlannedKernel *> all;
  for (const PlannedFile *file : launched())
    for (const PlannedKernel &k : file->kernels)
      all.push_back(&k);
  return all;
}

bool PlannedFile::keepsOrder() const {
  if (!options.shared.legality.associativeMath)
    return true;
  std::set<std::string> summed;
  for (const PlannedFile &part : parts) {
    const Nest &nest = part.source.nest;
    for (const Statement *s : collect<Statement>(nest.body)) {
      const Array &sum = nest.arrays[s->target.array];
      if (s->isReduction() && !sum.isLocal() && !summed.insert(sum.name).second)
        return false;
    }
  }
  return all_of(launchedKernels(), std::mem_fn(&PlannedKernel::keepsOrder));
}

LowerOptions PlannedFile::lowerOptions() const {
  LowerOptions result;
  result.suffix = options.suffix;
  result.isC = source.isC;
  result.isLocal = source.isLocal;
  result.isExternC = source.isExternC;
  result.reserved = source.macros;
  result.fullTiles = general().fullTiles();
  result.facts = general().facts;
  result.loose = loose;
  result.part = part;
  return result;
}

Expected<std::vector<PlannedKernel>> requestedKernels(const Options &o,
                                                      const Nest &source) {
  std::vector<PlannedKernel> kernels(1);
  kernels[0].request = o.shared.request;
  RETURN_IF_ERROR(kernels[0].addFacts(source, o.facts));
  const std::vector<Assumption> general = kernels[0].facts;
  for (const VersionOptions &v : o.versions) {
    RETURN_IF_ERROR(addVersion(source, general, v.facts, v.request, kernels));
    kernels.back().leastBlocks = v.leastBlocks;
  }
  // With default tiles.
  ScheduleRequest request;
  request.boundary = o.shared.request.boundary;
  for (unsigned width : o.filterWidths) {
    ASSIGN_OR_RETURN(std::vector<std::string> facts,
                     filterFacts(source, width));
    RETURN_IF_ERROR(addVersion(source, general, facts, request, kernels));
  }
  for (PlannedKernel &k : kernels)
    k.request.shareConstants(kernels.size());
  return kernels;
}

} // namespace convopt
