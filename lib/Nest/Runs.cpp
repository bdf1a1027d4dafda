//===- Runs.cpp - Contiguous runs between buffers -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the fastest dimension of the source on, a run grows for as long as the
// box has all that the source has, room between rows included. The first
// dimension of which it has less ends it; those beyond are gone through.
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

Expected<CopyRuns> runsBetween(const Nest &nest, const Copy &c) {
  const Array &to = nest.arrays[c.buffer], &from = nest.arrays[*c.from];
  const int64_t n = to.buffer->layout.vector;
  auto refuseRuns = [&](const Twine &why) {
    return refuseIllegal(
        "Storage",
        ("a TMA bulk copy cannot fill '" + to.name + "' from '" + from.name +
         "': " + why)
            .str(),
        c.range, "have threads copy it, with vector:" + std::to_string(n));
  };
  auto isMultiple = [&](const IndexExpr &e) {
    return remainder(nest, e, n).isZero();
  };
  auto allocated = [&](const Array &a, unsigned d) {
    return nest.expandDefinitions(allocatedExtent(nest, a, d));
  };
  std::vector<unsigned> left = storedDims(to), source = storedDims(from);
  const Copy *filled = copyOf(nest, *c.from);
  if (left.empty() || source.empty() || !filled || left.back() != source.back())
    return refuseRuns("their rows are of different dimensions");
  if (!from.buffer->isDense())
    return refuseRuns("it holds every so many elements");
  if (from.buffer->layout.block != 1)
    return refuseRuns("its rows lie in blocks");
  CopyRuns runs{{}, IndexExpr(1)};
  IndexExpr stride(1), offset; // in the source
  IndexExpr apart(1);          // in the buffer
  bool grows = true;
  for (unsigned d : reverse(source)) {
    const bool isBoxed = !left.empty() && left.back() == d;
    if (!isBoxed && is_contained(left, d))
      return refuseRuns("they differ in order");
    offset += (c.base[d] - filled->base[d]) * stride;
    if (isBoxed) {
      left.pop_back();
      if (!grows) {
        if (!isMultiple(stride) || !isMultiple(apart))
          return refuseRuns("runs lie " + str(nest, stride) + " and " +
                            str(nest, apart) + " elements apart");
        runs.dims.insert(runs.dims.begin(), d);
      } else if (allocated(to, d) == allocated(from, d)) {
        runs.length = runs.length * allocated(to, d);
      } else {
        // Into the room after the row, to a multiple of the vector.
        bool isRow = runs.length == IndexExpr(1);
        IndexExpr row = nest.expandDefinitions(to.extents[d]);
        runs.length = isRow ? IndexExpr(n) * IndexExpr::floorDiv(row + (n - 1),
                                                                 IndexExpr(n))
                            : runs.length * row;
        grows = false;
      }
      apart = apart * allocated(to, d);
    } else {
      grows = false; // one of several
    }
    stride = stride * allocated(from, d);
  }
  if (!left.empty())
    return refuseRuns("they differ in order");
  if (!isMultiple(runs.length) || !isMultiple(nest.expandDefinitions(offset)))
    return refuseRuns("runs of " + str(nest, runs.length) +
                      " elements begin at element " + str(nest, offset));
  return runs;
}

} // namespace convopt
