//===- StagingPolicy.cpp - The decisions of staging -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagingPolicy.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

/// Of what packing is worth another kernel: multiply-adds of the whole nest,
/// and blocks that read the same element.
static constexpr double LeastPackedWork = 500'000'000;
static constexpr int64_t LeastPackedReuse = 8;
/// Elements of what is packed (256 MB of floats).
static constexpr int64_t MostPacked = int64_t(1) << 26;
/// What a multiply-add on elements of fewer than 32 bits counts in a body.
static constexpr int64_t OfNarrow = 4;

bool isShared(ArrayRef<DimUse> dims, unsigned threads) {
  unsigned moving = 0, overlapping = 0;
  for (const DimUse &d : dims) {
    moving |= d.threads;
    overlapping |= d.bySum ? d.threads : 0;
  }
  return (threads & (~moving | overlapping)) != 0;
}

bool areRowsApart(ArrayRef<DimUse> dims, unsigned x) {
  if (!dims.empty() && dims.back().isField)
    dims = dims.drop_back();
  return !dims.empty() && dims.back().byColumn &&
         (dims.back().threads & x) == 0 &&
         any_of(dims, [&](const DimUse &d) { return (d.threads & x) != 0; });
}

std::optional<unsigned> vectorDim(ArrayRef<DimUse> dims, int64_t vector) {
  for (size_t d = dims.size(); d-- != 0;)
    if (dims[d].outputs != 0 && dims[d].outputs % vector == 0 &&
        (d + 1 == dims.size() || dims[d].byColumn || !dims[d].bySum))
      return unsigned(d);
  if (dims.empty() || !dims.back().isRow || dims.back().threads != 0)
    return std::nullopt;
  return unsigned(dims.size() - 1);
}

bool takesParts(ArrayRef<std::vector<DimUse>> shared, bool mayOverlap) {
  bool isUsed = false;
  for (ArrayRef<DimUse> dims : shared) {
    if (none_of(dims, [](const DimUse &d) { return d.byPart; }))
      continue;
    isUsed = true;
    if (!mayOverlap &&
        none_of(dims, [](const DimUse &d) { return d.byPart && !d.byOthers; }))
      return false;
  }
  return isUsed;
}

PackingFault packingFault(int64_t elements, std::optional<double> work,
                          int64_t blocks) {
  if (elements > MostPacked)
    return PackingFault::Large;
  if (work && *work < LeastPackedWork)
    return PackingFault::Short;
  return blocks < LeastPackedReuse ? PackingFault::Unshared
                                   : PackingFault::None;
}

bool isConstant(ArrayRef<DimUse> dims, std::optional<int64_t> bytes,
                int64_t available, bool isWorthIt) {
  return isWorthIt && bytes && alignTo(*bytes, 16) <= uint64_t(available) &&
         none_of(dims, [](const DimUse &d) { return d.threads != 0; });
}

int64_t bodyOf(int64_t multiplyAdds, bool isNarrow, int64_t globalReads) {
  return (isNarrow ? OfNarrow : 1) * multiplyAdds + OfGlobalRead * globalReads;
}

bool isUnrolled(const SumLoop &l, int64_t body, int64_t most) {
  if (l.isPart && l.isInnermost)
    return l.hasWindow && body <= most;
  return l.hasWindow || (l.isConstant && body <= most);
}

} // namespace convopt
