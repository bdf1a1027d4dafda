//===- SharedMemory.cpp - Buffers of a block ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "HostBuffers.h"
#include "convopt/Transforms/SharedBuffers.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::lower {

using program::Expr;

SharedMemory findSharedMemory(const Nest &nest, int64_t unasked) {
  SharedMemory shared;
  int64_t bytes = 0;
  shared.buffers = sharedBuffers(nest);
  for (unsigned id : shared.buffers) {
    // A template's type may be any; none of arithmetic is larger.
    bytes = endInShared(nest, nest.arrays[id], bytes, /*unknown=*/8);
    shared.isDynamic |= !constantElements(nest, nest.arrays[id]);
  }
  shared.isDynamic |= bytes > unasked;
  return shared;
}

int64_t sharedAlignment(const Nest &nest) {
  return any_of(nest.arrays,
                [](const Array &a) {
                  return a.buffer &&
                         a.buffer->layout.copyKind == BufferLayout::Tensor;
                })
             ? TensorAlignment
             : AccessBytes;
}

bool isFlat(const Nest &nest, const Array &buffer) {
  return buffer.buffer->isOnHost() || buffer.buffer->layout.linear != 1 ||
         (buffer.buffer->memory == Buffer::Shared &&
          !all_of(buffer.extents,
                  [&](const IndexExpr &e) { return isCompileTime(nest, e); }));
}

Expr allocatedOf(const Nest &nest, const Array &buffer, unsigned dim,
                 const Names &names) {
  const StorageMap map(nest, buffer);
  const IndexExpr extent = map.extent(dim);
  if (buffer.buffer->isOnHost())
    return names.value(named(nest, extent));
  const int64_t m = map.multiple(dim);
  if ((extent - buffer.extents[dim])
          .isConstant()) // that are whole vectors already
    return names.value(extent);
  if (std::optional<int64_t> constant = nest.constantOf(extent))
    return *constant;
  return names.value(buffer.extents[dim] + m - 1) / Expr(m) * Expr(m);
}

Expr countOf(const Nest &nest, const Array &buffer, const StorageDigit &digit,
             const Names &names) {
  if (std::optional<int64_t> constant =
          digit.count.asConstant()) // of blocks, for one
    return *constant;
  return allocatedOf(nest, buffer, digit.dim, names) / Expr(digit.weight);
}

std::vector<Expr> allocatedOf(const Nest &nest, const Array &buffer,
                              const Names &names) {
  const StorageMap map(nest, buffer);
  std::vector<Expr> extents;
  for (unsigned d : map.dims())
    extents.push_back(allocatedOf(nest, buffer, d, names));
  return extents;
}

Expr sizeOf(const Nest &nest, const Array &buffer, const Names &names,
            const Expr &element) {
  std::vector<Expr> factors{element};
  std::vector<Expr> elements = allocatedOf(nest, buffer, names);
  elements.insert(elements.begin(), buffer.buffer->layout.depth);
  if (const int64_t slack = StorageMap(nest, buffer).slack())
    factors.push_back(product(elements) + slack);
  else
    llvm::append_range(factors, elements);
  return product(factors);
}

Expr bytesOf(const Nest &nest, const SharedMemory &shared, const Names &names,
             size_t end) {
  const int64_t unit = sharedAlignment(nest);
  Expr sum(0);
  for (size_t k = 0; k != end; ++k) {
    const Array &a = nest.arrays[shared.buffers[k]];
    Expr bytes = sizeOf(nest, a, names,
                        Expr::sizeOf({program::Type::Element, a.elementType}));
    // The last buffer needs no room after it.
    if (k + 1 != shared.buffers.size())
      bytes = (bytes + (unit - 1)) / unit * unit;
    sum = sum + bytes;
  }
  return sum;
}

} // namespace convopt::lower
