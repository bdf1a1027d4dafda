//===- StageLayout.cpp - How a new buffer lies ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageLayout.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/StorageMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

/// Has rows of the box begin at multiples of vectors.
static void alignRows(const Nest &nest, std::optional<unsigned> from,
                      const StageOptions &options, ArrayRef<int64_t> strides,
                      std::vector<Range> &box) {
  int64_t vector = options.layout.vector;
  size_t row = box.size() - 1;
  IndexExpr origin;
  if (from) {
    const StorageMap map(nest, nest.arrays[*from]);
    if (map.dims().empty())
      return;
    row = map.dims().back();
    if (const Copy *fill = copyOf(nest, *from))
      origin = fill->base[row];
  }
  Range &r = box[row];
  const IndexExpr stride(strides[row]);
  IndexExpr odd =
      remainder(nest, IndexExpr::floorDiv(r.least - origin, stride), vector);
  if (odd.usesLoops() || odd.isZero())
    return;
  bool isKnown =
      all_of(odd.vars(), [&](Var v) { return nest.params[v.id].isTemplate; });
  // A size that only the launch knows moves the box by as much as that takes;
  // what is between buffers would have to move along, and registers cannot.
  if (!isKnown && (from || options.memory != Buffer::Shared))
    return;
  r.least -= stride * IndexExpr::mod(odd, IndexExpr(vector));
  if (!isKnown) // still of a size that the kernel's compiler knows
    r.greatest = r.greatest - IndexExpr::mod(odd, IndexExpr(vector)) +
                 IndexExpr(vector - 1);
}

void alignBox(const Nest &nest, std::optional<unsigned> from,
              const StageOptions &options, ArrayRef<int64_t> strides,
              std::vector<Range> &box) {
  int64_t vector = options.layout.vector;
  if (vector <= 1 || box.empty())
    return;
  alignRows(nest, from, options, strides, box);
  if (options.layout.copyKind != BufferLayout::Tensor)
    return;
  // A TMA tensor copy brings whole vectors, and nothing between rows.
  Range &row = box.back();
  IndexExpr extent = row.greatest - row.least + 1;
  if (auto constant = nest.constantOf(extent))
    row.greatest =
        row.least + (divideCeilSigned(*constant, vector) * vector - 1);
}

void setPitch(Nest &nest, const Copy &copy) {
  BufferLayout &layout = nest.arrays[copy.buffer].buffer->layout;
  const int64_t unit = std::max(layout.vector, layout.swizzle);
  if (layout.pitch != 1 || unit == 1 || layout.linear != 1 ||
      layout.block != 1 || layout.copyKind == BufferLayout::Tensor)
    return;
  bool isJoined = false;
  if (!copy.from) {
    const auto rows = expectedToOptional(rowsOf(nest, copy));
    isJoined = rows && rows->isJoined(nest.arrays[copy.buffer]);
  }
  if (!isJoined)
    layout.pitch = unit;
}

} // namespace convopt
