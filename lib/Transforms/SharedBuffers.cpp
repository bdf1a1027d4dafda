//===- SharedBuffers.cpp - Buffers in shared memory -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/SharedBuffers.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

/// The barrier that TMA has for each box.
static constexpr int64_t BarrierBytes = 8;

std::vector<unsigned> sharedBuffers(const Nest &nest) {
  std::vector<unsigned> all;
  for (const Local *local : collect<Local>(nest.body))
    if (const auto &buffer = nest.arrays[local->array].buffer;
        buffer && buffer->memory == Buffer::Shared &&
        !is_contained(all, local->array))
      all.push_back(local->array);
  return all;
}

int64_t endInShared(const Nest &nest, const Array &buffer, int64_t begin,
                    int64_t unknown) {
  const BufferLayout &layout = buffer.buffer->layout;
  if (layout.copyKind == BufferLayout::Tensor)
    begin = alignTo(begin, TensorAlignment);
  begin +=
      std::min<int64_t>(constantElements(nest, buffer).value_or(0), INT32_MAX) *
      elementSize(buffer.elementType).value_or(unknown);
  if (layout.copyKind != BufferLayout::Threads)
    begin += BarrierBytes * layout.depth;
  return std::min<int64_t>(begin, INT32_MAX);
}

} // namespace convopt
