//===- Resources.cpp - What a mapped nest asks of a device ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Resources.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Shuffle.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/SharedBuffers.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

int64_t registersOf(StringRef type) {
  bool isWide = is_contained({"double", "long", "long int", "unsigned long",
                              "long long", "int64_t", "uint64_t", "size_t"},
                             type);
  return isWide ? 2 : 1;
}

/// Adds the elements that the local array \p a keeps, and the operands that
/// are live with them: one for each index of each expanded dimension.
static void addLocal(const Nest &nest, const Array &a, Resources &r) {
  int64_t elements = 1, operands = 0;
  for (size_t d = 0; d != a.extents.size(); ++d) {
    std::optional<int64_t> extent = nest.constantOf(a.extents[d]);
    if (!extent)
      continue;
    elements = SaturatingMultiply<uint64_t>(elements, *extent) > INT64_MAX / 16
                   ? INT64_MAX / 16
                   : elements * *extent;
    if (d < a.expandedDims)
      operands += *extent;
  }
  // What is stored has taken the place of sums.
  if (a.buffer && nest.arrays[a.buffer->of].role == Array::Output)
    return;
  if (a.buffer) { // holds operands
    r.otherRegisters += elements * registersOf(a.elementType);
    return;
  }
  r.sums += elements;
  r.sumRegisters += elements * registersOf(a.elementType);
  r.otherRegisters += operands * registersOf(a.elementType);
}

/// Adds the bytes of \p a, counted from below.
static void addShared(const Nest &nest, const Array &a, Resources &r) {
  r.sharedBytes = endInShared(nest, a, r.sharedBytes, /*unknown=*/1);
}

/// Adds the bytes of the parts of the sums that threads share, of all but one
/// of these; lanes of a warp exchange theirs.
static void addParts(const Nest &nest, Resources &r) {
  const int64_t threads = threadsOf(r.blockDim);
  for (const Loop *l : loops(nest)) {
    if (!isBlock(l->kind) || l->isAtomic)
      continue;
    const bool isInWarp = areLanesOfWarp(r.blockDim, dimensionOf(l->kind));
    for (unsigned sum : splittableSums(nest, *l)) {
      if (isInWarp && hasShuffle(nest.arrays[sum].elementType))
        continue;
      Array parts = nest.arrays[sum];
      parts.buffer = Buffer{sum, Buffer::Shared};
      parts.extents.push_back(
          threads / std::max<int64_t>(constantUpper(nest, *l).value_or(1), 1));
      addShared(nest, parts, r);
    }
  }
}

Resources estimateResources(const Nest &mapped) {
  Resources r;
  r.otherRegisters = AddressRegisters;
  r.minBlocks = mapped.minBlocks;
  for (unsigned buffer : sharedBuffers(mapped))
    addShared(mapped, mapped.arrays[buffer], r);
  for (const Local *local : collect<Local>(mapped.body))
    if (const Array &a = mapped.arrays[local->array];
        !a.buffer || a.buffer->memory == Buffer::Registers)
      addLocal(mapped, a, r);
  for (const Loop *l : loops(mapped))
    if (isBlock(l->kind))
      r.blockDim[dimensionOf(l->kind)] = constantUpper(mapped, *l).value_or(1);
  addParts(mapped, r);
  return r;
}

/// What several blocks ask of a multiprocessor together.
static Error checkMinBlocks(const Resources &r, const Gpu &gpu, int64_t threads,
                            SourceRange where) {
  struct {
    int64_t each, limit;
    const char *what;
  } uses[] = {
      {1, gpu.blocksPerMultiprocessor, "blocks"},
      {threads, gpu.threadsPerMultiprocessor, "threads"},
      {r.sharedBytes, gpu.sharedPerMultiprocessor, "bytes of shared memory"},
      // Operands come and go as registers allow.
      {threads * (r.sumRegisters + AddressRegisters),
       gpu.registersPerMultiprocessor, "registers"}};
  for (const auto &use : uses) {
    int64_t all = SaturatingMultiply<uint64_t>(r.minBlocks, use.each) >
                          uint64_t(INT32_MAX)
                      ? INT32_MAX
                      : r.minBlocks * use.each;
    if (all > use.limit)
      return refuse(
          "limit",
          std::to_string(r.minBlocks) +
              " blocks on a multiprocessor would take " + std::to_string(all) +
              " " + use.what + ", " + gpu.name + " has " +
              std::to_string(use.limit),
          where,
          "at most min-blocks=" + std::to_string(use.limit / use.each) +
              " is possible here");
  }
  return Error::success();
}

Error checkResources(const Resources &r, const Gpu &gpu, SourceRange where) {
  RETURN_IF_ERROR(checkBlock(gpu, r.blockDim, where));
  const int64_t threads = threadsOf(r.blockDim);
  int64_t registers = r.sumRegisters + r.otherRegisters;
  if (registers > gpu.registersPerThread)
    return refuse("limit",
                  "a thread would keep " + std::to_string(r.sums) +
                      " sums in about " + std::to_string(registers) +
                      " registers, " + gpu.name + " allows " +
                      std::to_string(gpu.registersPerThread),
                  where, "choose smaller values for -reg");
  if (registers * threads > gpu.registersPerBlock)
    return refuse("limit",
                  "a block of " + std::to_string(threads) +
                      " threads with about " + std::to_string(registers) +
                      " registers each needs " +
                      std::to_string(registers * threads) + ", " + gpu.name +
                      " has " + std::to_string(gpu.registersPerBlock),
                  where, "choose smaller values for -reg or -tile");
  return checkMinBlocks(r, gpu, threads, where);
}

/// Several loops may share a grid dimension: their extents multiply.
static Error checkGrid(const Nest &mapped, const Gpu &gpu) {
  std::array<int64_t, 3> blocks{1, 1, 1};
  for (const Loop *l : loops(mapped)) {
    if (!isGrid(l->kind))
      continue;
    unsigned d = dimensionOf(l->kind);
    int64_t extent = constantTrips(mapped, *l).value_or(1);
    if (MulOverflow(blocks[d], extent, blocks[d]) || blocks[d] > gpu.gridDim[d])
      return refuse("limit",
                    "loop '" + mapped.loopNames[l->id] + "' would need " +
                        std::to_string(blocks[d]) + " blocks along " +
                        str(l->kind).str() + ", " + gpu.name + " allows " +
                        std::to_string(gpu.gridDim[d]),
                    l->range, "choose larger values for -tile or -reg");
  }
  return Error::success();
}

Error checkResources(const Pipeline &pipeline, const Gpu &gpu) {
  const Nest &mapped = pipeline.nest();
  RETURN_IF_ERROR(checkGrid(mapped, gpu));
  RETURN_IF_ERROR(checkSharedMemory(pipeline, gpu));
  return checkResources(estimateResources(mapped), gpu, mapped.function.range);
}

} // namespace convopt
