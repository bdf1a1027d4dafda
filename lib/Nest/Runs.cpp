//===- Runs.cpp - Contiguous runs between buffers -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the fastest dimension on, a run grows for as long as the box has all
// that the source has, room between rows included, and its places lie as far
// apart as in the source. The first dimension of which it has less ends it;
// others are gone through.
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Rows.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"

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
  const StorageMap here(nest, to), there(nest, from);
  const Copy *filled = copyOf(nest, *c.from);
  if (!filled)
    return refuseRuns("nothing fills that");
  if (!from.buffer->isDense())
    return refuseRuns("it holds every so many elements");
  CopyRuns runs{{}, IndexExpr(1)};
  bool grows = true;
  for (unsigned d : reverse(here.dims())) {
    const auto apart = here.stride(d), stride = there.stride(d);
    if (!apart || !stride)
      return refuseRuns("its rows lie in pieces");
    grows = grows && *apart == runs.length && *stride == runs.length;
    if (!grows) {
      if (!isMultiple(*stride) || !isMultiple(*apart))
        return refuseRuns("runs lie " + str(nest, *stride) + " and " +
                          str(nest, *apart) + " elements apart");
      runs.dims.insert(runs.dims.begin(), d);
      continue;
    }
    const IndexExpr room = nest.expandDefinitions(here.extent(d)),
                    row = nest.expandDefinitions(to.extents[d]);
    grows = room == nest.expandDefinitions(there.extent(d));
    if (grows)
      runs.length = runs.length * room;
    else if (d != here.dims().back())
      runs.length = runs.length * row;
    else // into the room after the row, to a multiple of the vector
      runs.length =
          IndexExpr(n) * IndexExpr::floorDiv(row + (n - 1), IndexExpr(n));
  }
  IndexExpr offset; // in the source
  for (unsigned d : there.dims())
    offset += (c.base[d] - filled->base[d]) * *there.stride(d);
  if (!isMultiple(runs.length) || !isMultiple(nest.expandDefinitions(offset)))
    return refuseRuns("runs of " + str(nest, runs.length) +
                      " elements begin at element " + str(nest, offset));
  return runs;
}

} // namespace convopt
