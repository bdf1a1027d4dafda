//===- RequestedKernels.cpp - What the command line asks for --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Schedule/UsualSizes.h"

using namespace llvm;

namespace convopt {

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
