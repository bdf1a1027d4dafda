//===- StageLayout.cpp - How a new buffer lies ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageLayout.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

/// TMA copies to shared memory; a box as it lies. The host fills constant
/// memory.
static Error checkTma(const Array &source, const StageOptions &options,
                      SourceRange where) {
  const BufferLayout &l = options.layout;
  const bool isConstant = options.memory == Buffer::Constant;
  if (options.unfolded && (isConstant || l.copyKind != BufferLayout::Threads))
    return refuse("usage",
                  "'" + source.name + "' cannot be unfolded " +
                      (isConstant ? "in constant memory" : "by TMA"),
                  where, "have threads copy it to shared memory");
  if (l.copyKind == BufferLayout::Threads)
    return Error::success();
  std::string kind = BufferLayout::copyKindNames[l.copyKind];
  auto refuseTma = [&](const std::string &with, const std::string &remedy) {
    return refuse("usage",
                  "'" + source.name + "' cannot be staged with " + kind + " " +
                      with,
                  where, "take " + remedy + " off");
  };
  if (options.memory != Buffer::Shared)
    return refuseTma("in other than shared memory", kind);
  if (l.copyKind != BufferLayout::Tensor)
    return Error::success();
  if (l.pitch != 1)
    return refuseTma("and a pitch: TMA brings a box without gaps", "the pitch");
  if (!is_sorted(l.order))
    return refuseTma("in another order: TMA keeps the array's", "the order");
  if (l.linear != 1)
    return refuseTma("and linear: TMA brings all of the box", "linear");
  return Error::success();
}

/// Units of rows that are in banks, and that nothing else wants in one piece.
static Error checkSwizzle(const Array &source, const StageOptions &options,
                          SourceRange where) {
  const BufferLayout &l = options.layout;
  auto refuseSwizzle = [&](StringRef remedy) {
    return refuse("usage",
                  "'" + source.name + "' cannot be staged with swizzle:" +
                      std::to_string(l.swizzle),
                  where, remedy.str());
  };
  if (l.swizzle == 0)
    return Error::success();
  if (l.swizzle < 0 || l.swizzle > 16 || !isPowerOf2_64(l.swizzle))
    return refuseSwizzle("give 1, 2, 4, 8 or 16 elements");
  if (options.memory != Buffer::Shared)
    return refuseSwizzle("only shared memory has banks");
  if (l.linear != 1)
    return refuseSwizzle(
        "a row must lie in one piece: take linear or the swizzle off");
  if (l.copyKind != BufferLayout::Threads)
    return refuseSwizzle("TMA copies rows as they are: take " +
                         std::string(BufferLayout::copyKindNames[l.copyKind]) +
                         " or the swizzle off");
  return Error::success();
}

Error checkOrder(const Nest &nest, unsigned array, const BufferLayout &layout,
                 size_t rank, SourceRange where) {
  std::vector<unsigned> sorted = layout.order, dims;
  for (size_t d = 0; d != rank; ++d)
    dims.push_back(d);
  llvm::sort(sorted);
  if (layout.order.empty() || sorted == dims)
    return Error::success();
  std::vector<std::string> given;
  for (unsigned d : layout.order)
    given.push_back(std::to_string(d));
  return refuse("usage",
                "'" + nest.arrays[array].name +
                    "' cannot be staged with order:" + join(given, "."),
                where,
                "name each of its dimensions, 0 to " +
                    std::to_string(rank - 1) + ", once");
}

Error checkLayout(const Nest &nest, unsigned array, const StageOptions &options,
                  SourceRange where) {
  const Array &source = nest.arrays[array];
  const BufferLayout &l = options.layout;
  auto refuseLayout = [&](StringRef key, const Twine &value, StringRef remedy) {
    return refuse(
        "usage",
        ("'" + source.name + "' cannot be staged with " + key + ":" + value)
            .str(),
        where, remedy.str());
  };
  if (l.pitch < 1 || l.pitch > 1024)
    return refuseLayout("pitch", Twine(l.pitch), "give 1 to 1024 elements");
  if (l.vector < 1 || l.vector > 16 || !isPowerOf2_64(l.vector))
    return refuseLayout("vector", Twine(l.vector),
                        "give 1, 2, 4, 8 or 16 elements");
  if (l.depth < 1 || l.depth > 8)
    return refuseLayout("depth", Twine(l.depth), "give 1 to 8 boxes");
  if (l.depth != 1 && options.memory != Buffer::Shared)
    return refuseLayout("depth", Twine(l.depth),
                        "copies are pipelined in shared memory only");
  if (Error e = checkTma(source, options, where))
    return e;
  if (l.block < 1 || l.block > 1024)
    return refuseLayout("block", Twine(l.block), "give 1 to 1024 elements");
  bool isOnHost =
      options.memory == Buffer::Global || options.memory == Buffer::Constant;
  if (l.block != 1 && !isOnHost)
    return refuseLayout("block", Twine(l.block),
                        "the launcher's buffers have blocks");
  if (l.block != 1 && l.pitch != 1)
    return refuseLayout("block", Twine(l.block), "take the pitch off");
  const size_t rank = source.extents.size();
  if (l.linear < 1 || l.linear > std::max<int64_t>(rank, 1))
    return refuseLayout("linear", Twine(l.linear),
                        "give 1 to " + std::to_string(rank) + " dimensions");
  if (options.unfolded && l.linear != 1)
    return refuseLayout("linear", Twine(l.linear), "take unfolded off");
  if (l.linear != 1 && options.memory != Buffer::Shared)
    return refuseLayout("linear", Twine(l.linear),
                        "only shared buffers are linear");
  if (l.linear != 1 && (l.pitch != 1 || !l.order.empty()))
    return refuseLayout("linear", Twine(l.linear),
                        "take the pitch and the order off");
  return checkSwizzle(source, options, where);
}

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
      layout.copyKind == BufferLayout::Tensor)
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
