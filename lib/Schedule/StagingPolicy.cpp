//===- StagingPolicy.cpp - The decisions of staging -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagingPolicy.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

bool isShared(ArrayRef<DimUse> dims, unsigned threads) {
  unsigned moving = 0, overlapping = 0;
  for (const DimUse &d : dims) {
    moving |= d.threads;
    overlapping |= d.bySum ? d.threads : 0;
  }
  return (threads & (~moving | overlapping)) != 0;
}

std::optional<unsigned> vectorDim(ArrayRef<DimUse> dims, int64_t vector) {
  for (size_t d = dims.size(); d-- != 0;)
    if (dims[d].outputs != 0 && dims[d].outputs % vector == 0 &&
        (dims[d].byColumn || !dims[d].bySum))
      return unsigned(d);
  if (dims.empty() || !dims.back().isRow || dims.back().threads != 0)
    return std::nullopt;
  return unsigned(dims.size() - 1);
}

bool takesParts(ArrayRef<std::vector<DimUse>> shared) {
  bool isUsed = false;
  for (ArrayRef<DimUse> dims : shared) {
    if (none_of(dims, [](const DimUse &d) { return d.byPart; }))
      continue;
    isUsed = true;
    if (none_of(dims, [](const DimUse &d) { return d.byPart && !d.byOthers; }))
      return false;
  }
  return isUsed;
}

} // namespace convopt
