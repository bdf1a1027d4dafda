//===- PlannedFile.cpp - A source and what becomes of it -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedFile.h"

using namespace llvm;

namespace convopt {

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
  return result;
}

} // namespace convopt
