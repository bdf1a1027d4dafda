//===- SharedMemory.cpp - Buffers of a block ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "convopt/Target/ElementSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::emit {

/// What a block has without asking for more.
static constexpr int64_t StaticLimit = 48 * 1024;

bool isCompileTime(const Nest &nest, const IndexExpr &e) {
  return all_of(nest.expandDefinitions(e).vars(), [&](Var v) {
    return v.kind == Var::Param && nest.params[v.id].isTemplate;
  });
}

static std::optional<int64_t> constantBytes(const Nest &nest, const Array &a) {
  // A template's type may be any; none of arithmetic is larger.
  int64_t bytes = elementSize(a.elementType).value_or(8);
  for (const IndexExpr &e : a.extents) {
    std::optional<int64_t> extent = nest.expandDefinitions(e).asConstant();
    if (!extent || MulOverflow(bytes, *extent, bytes))
      return std::nullopt;
  }
  return bytes;
}

SharedMemory findSharedMemory(const Nest &nest) {
  SharedMemory shared;
  int64_t bytes = 0;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *local = dyn_cast<Local>(&n);
    if (!local)
      return;
    const Array &a = nest.arrays[local->array];
    if (!a.buffer || a.buffer->memory != Buffer::Shared ||
        is_contained(shared.buffers, local->array))
      return;
    shared.buffers.push_back(local->array);
    bytes += constantBytes(nest, a).value_or(0);
    shared.isDynamic |= !all_of(
        a.extents, [&](const IndexExpr &e) { return isCompileTime(nest, e); });
  });
  shared.isDynamic |= bytes > StaticLimit;
  return shared;
}

std::string elementsText(const Array &buffer, const Names &names) {
  std::string text;
  for (const IndexExpr &e : buffer.extents)
    if (e != IndexExpr(1))
      text += (text.empty() ? "" : " * ") + names.operand(e);
  return text.empty() ? "1" : text;
}

std::string bytesText(const Nest &nest, const SharedMemory &shared,
                      const Names &names, size_t end) {
  std::string text;
  for (size_t k = 0; k != end; ++k) {
    const Array &a = nest.arrays[shared.buffers[k]];
    std::string bytes =
        "sizeof(" + a.elementType + ") * " + elementsText(a, names);
    // The last buffer needs no room after it.
    if (k + 1 != shared.buffers.size())
      bytes = "(" + bytes + " + 15) / 16 * 16";
    text += (text.empty() ? "" : " + ") + bytes;
  }
  return text.empty() ? "0" : text;
}

} // namespace convopt::emit
