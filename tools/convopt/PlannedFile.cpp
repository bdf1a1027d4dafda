//===- PlannedFile.cpp - A source and what becomes of it -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedFile.h"

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

EmitOptions PlannedFile::emitOptions() const {
  EmitOptions result;
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

} // namespace convopt
