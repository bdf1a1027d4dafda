//===- StorageMap.cpp - Where the elements of a buffer lie ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/StorageMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

StorageMap::StorageMap(const Nest &nest, const Array &buffer)
    : nest(nest), buffer(buffer), stored(buffer.buffer->layout.order) {
  if (stored.empty())
    for (unsigned d = 0; d != buffer.extents.size(); ++d)
      stored.push_back(d);
  erase_if(stored,
           [&](unsigned d) { return buffer.extents[d] == IndexExpr(1); });
  for (unsigned d : stored)
    all.push_back({d, extent(d)});
  const int64_t block = buffer.buffer->layout.block;
  if (block == 1 || all.empty())
    return;
  // The first blocks of all rows lie before the second ones.
  StorageDigit blocks = all.back();
  blocks.count = IndexExpr::floorDiv(blocks.count, IndexExpr(block));
  blocks.weight = block;
  all.back().count = block;
  all.insert(all.begin(), blocks);
}

int64_t StorageMap::multiple(unsigned dim) const {
  const BufferLayout &layout = buffer.buffer->layout;
  return !stored.empty() && dim == stored.back()
             ? std::lcm(layout.pitch, layout.block)
             : 1;
}

bool StorageMap::isLinear(unsigned dim) const {
  const uint64_t linear = buffer.buffer->layout.linear;
  return dim + linear > buffer.extents.size();
}

IndexExpr StorageMap::extent(unsigned dim) const {
  if (isLinear(dim))
    return nest.arrays[buffer.buffer->of].extents[dim];
  const IndexExpr &extent = buffer.extents[dim];
  const int64_t m = multiple(dim);
  return m == 1 ? extent
                : IndexExpr(m) *
                      IndexExpr::floorDiv(extent + (m - 1), IndexExpr(m));
}

std::optional<IndexExpr> StorageMap::stride(unsigned dim) const {
  if (buffer.buffer->layout.tearsRows())
    return std::nullopt;
  IndexExpr product(1);
  for (const StorageDigit &g : reverse(all)) {
    if (g.dim == dim)
      return product;
    product = product * nest.expandDefinitions(g.count);
  }
  return std::nullopt;
}

bool StorageMap::liesAsArray(unsigned first) const {
  const Array &of = nest.arrays[buffer.buffer->of];
  IndexExpr apart(1); // in the array
  for (unsigned d = of.extents.size(); d-- != first;) {
    if (is_contained(stored, d) && stride(d) != apart)
      return false;
    apart = apart * nest.expandDefinitions(of.extents[d]);
  }
  return true;
}

int64_t StorageMap::slack() const {
  const BufferLayout &layout = buffer.buffer->layout;
  if (layout.copyKind == BufferLayout::Tensor && layout.depth != 1) {
    // All boxes begin at multiples of 128 bytes, of which a vector is 16.
    int64_t box = 1;
    for (const IndexExpr &e : buffer.extents) {
      std::optional<int64_t> extent = nest.constantOf(e);
      if (!extent || MulOverflow(box, *extent, box))
        return 0;
    }
    return layout.depth * (alignTo(box, 8 * layout.vector) - box);
  }
  int64_t slack = 0, stride = 1;
  for (unsigned d = buffer.extents.size(); d-- > 1 && isLinear(d);) {
    int64_t whole = *nest.constantOf(extent(d));
    int64_t box = *nest.constantOf(buffer.extents[d]);
    slack += std::max<int64_t>(0, box - whole) * stride;
    stride *= whole;
  }
  return slack;
}

std::optional<int64_t> StorageMap::elements(
    function_ref<std::optional<int64_t>(const IndexExpr &)> valueOf) const {
  int64_t elements = buffer.buffer->layout.depth;
  for (unsigned d : stored) {
    std::optional<int64_t> value = valueOf(extent(d));
    if (!value || MulOverflow(elements, std::max<int64_t>(*value, 0), elements))
      return std::nullopt;
  }
  return elements + slack();
}

std::optional<int64_t> constantElements(const Nest &nest, const Array &buffer) {
  return StorageMap(nest, buffer).elements([&](const IndexExpr &e) {
    return nest.constantOf(e);
  });
}

bool hasConstantBuffers(const Nest &nest) {
  return all_of(nest.arrays, [&](const Array &a) {
    return !a.buffer || a.buffer->memory != Buffer::Shared ||
           constantElements(nest, a);
  });
}

} // namespace convopt
