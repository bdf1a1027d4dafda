//===- KernelLaunch.cpp - The launch that the launcher would make ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "SharedMemory.h"
#include "Values.h"
#include "Vectors.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Source/Comment.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/MapLoop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace convopt {

using namespace lower;

/// The value of \p e, which is over parameters.
static std::optional<int64_t> valueOf(const IndexExpr &e,
                                      ArrayRef<int64_t> values) {
  for (Var v : e.vars())
    if (v.kind != Var::Param || v.id >= values.size())
      return std::nullopt;
  return e.evaluate([&](Var v) { return values[v.id]; });
}

std::optional<int64_t> elementsOf(const Array &array,
                                  ArrayRef<int64_t> values) {
  int64_t elements = 1;
  for (const IndexExpr &e : array.extents) {
    std::optional<int64_t> extent = valueOf(e, values);
    if (!extent || *extent < 0 || MulOverflow(elements, *extent, elements))
      return std::nullopt;
  }
  if (!array.footprint.empty())
    elements = INT64_MAX;
  for (const IndexExpr &e : array.footprint) {
    std::optional<int64_t> bound = valueOf(e, values);
    if (!bound)
      return std::nullopt;
    elements = std::clamp<int64_t>(*bound, 0, elements);
  }
  return elements;
}

/// `min(ceil(upper)) - lower`, at least 0, or with \p isRounded, of tiles those
/// three quarters full; grid loops are over parameters.
static std::optional<int64_t> extentOf(const Loop &l, ArrayRef<int64_t> values,
                                       bool isRounded = false) {
  std::optional<int64_t> lower = valueOf(l.lower[0].expr, values);
  int64_t upper = INT64_MAX;
  for (const Bound &b : l.upper) {
    std::optional<int64_t> value = valueOf(b.expr, values);
    if (!value)
      return std::nullopt;
    const int64_t left = isRounded ? lower::shortOfFull(b.divisor) : 0;
    upper =
        std::min<int64_t>(upper, divideCeilSigned(*value - left, b.divisor));
  }
  if (!lower)
    return std::nullopt;
  return std::max<int64_t>(0, upper - *lower);
}

static Error findGrid(const Nest &nest, const Mapping &m, const Gpu &gpu,
                      ArrayRef<int64_t> values, KernelLaunch &launch) {
  for (unsigned d = 0; d != 3; ++d) {
    for (const Loop *l : m.grid[d]) {
      std::optional<int64_t> extent = extentOf(acrossLaunches(*l), values);
      if (!extent || MulOverflow(launch.grid[d], *extent, launch.grid[d]))
        return refuse("limit",
                      "the blocks along loop '" + nest.loopNames[l->id] +
                          "' cannot be counted",
                      l->range, "choose smaller sizes");
      launch.nearlyFull *=
          extentOf(acrossLaunches(*l), values, /*isRounded=*/true).value_or(0);
    }
    if (launch.grid[d] > gpu.gridDim[d])
      return refuse("limit",
                    "grid." + std::string(dimensionName(d)) + " would be " +
                        std::to_string(launch.grid[d]) + " blocks, " +
                        gpu.name + " allows " + std::to_string(gpu.gridDim[d]),
                    m.grid[d].back()->range,
                    "choose larger values for -tile or -reg");
  }
  return Error::success();
}

/// Whether the offsets into every array fit an int.
static bool hasSmallArrays(const Nest &nest, ArrayRef<int64_t> values) {
  return llvm::all_of(nest.arrays, [&](const Array &a) {
    if (a.isLocal())
      return true;
    std::optional<int64_t> elements = elementsOf(a, values);
    return elements && *elements <= INT32_MAX;
  });
}

/// The element type as an instance of the kernel's template has it.
static StringRef instanceType(const Nest &nest, StringRef type,
                              ArrayRef<std::string> templateArguments) {
  const auto &names = nest.function.templateArgs;
  for (size_t k = 0; k != names.size() && k != templateArguments.size(); ++k)
    if (names[k] == type)
      return templateArguments[k];
  return type;
}

/// The size of the region that bytesOf gives the launcher.
static Expected<int64_t>
dynamicSharedBytes(const Nest &nest, const Gpu &gpu, ArrayRef<int64_t> values,
                   ArrayRef<std::string> templateArguments) {
  SharedMemory shared = findSharedMemory(nest, gpu.sharedPerBlock);
  if (!shared.isDynamic)
    return 0;
  int64_t all = 0;
  for (unsigned id : shared.buffers) {
    const Array &buffer = nest.arrays[id];
    std::optional<int64_t> elements =
        StorageMap(nest, buffer).elements([&](const IndexExpr &e) {
          return valueOf(e, values);
        });
    std::optional<int64_t> size =
        elementSize(instanceType(nest, buffer.elementType, templateArguments));
    int64_t bytes;
    if (!elements || !size || MulOverflow(*elements, *size, bytes) ||
        bytes > INT32_MAX)
      return refuse("limit",
                    "the bytes of '" + buffer.name + "' cannot be counted",
                    buffer.range, "choose smaller sizes");
    all = alignTo(all, sharedAlignment(nest)) + bytes;
  }
  return all;
}

std::vector<Constraint> alignmentOf(const Nest &mapped) {
  const Nest nest = withKnownIndices(mapped);
  std::vector<Constraint> result;
  auto add = [&](Constraint c) {
    const std::optional<int64_t> value = c.expr.asConstant();
    const bool holds =
        value && (c.kind == Constraint::Zero ? *value == 0 : *value >= 0);
    if (!holds && !is_contained(result, c))
      result.push_back(std::move(c));
  };
  for (const AlignedArray &a : alignedArrays(nest)) {
    for (const IndexExpr &e : a.multiples)
      add({Constraint::Zero, IndexExpr::mod(e, IndexExpr(a.vector))});
    for (const IndexExpr &e : a.notNegative)
      add({Constraint::NonNegative, e});
  }
  return result;
}

Expected<KernelLaunch> launchOf(const Nest &mapped, const Gpu &gpu,
                                const LowerOptions &options,
                                ArrayRef<int64_t> values,
                                ArrayRef<std::string> templateArguments) {
  const Nest nest = withKnownIndices(mapped); // as the kernel's text has it
  Expected<Mapping> mapping = findMapping(nest, gpu);
  if (!mapping)
    return mapping.takeError();
  for (size_t k = 0; k != nest.params.size(); ++k)
    if (!nest.params[k].definition && !isInt<32>(values[k]))
      return refuse("limit",
                    "'" + nest.params[k].name + "' is " +
                        std::to_string(values[k]) +
                        ", and sizes are int in the kernel",
                    nest.function.range, "choose a smaller size");
  KernelLaunch launch;
  if (Error e = findGrid(nest, *mapping, gpu, values, launch))
    return std::move(e);
  launch.block = mapping->blockDim;
  for (const Loop *l : mapping->hostLoops())
    launch.hostLoops.push_back(
        "map=" + nest.loopNames[l->id] + "," + str(l->kind).str() +
        (l->kind == LoopKind::Stream ? ":" + std::to_string(l->streams) : ""));
  const bool isSplit = mapping->takesKernels(),
             isAtomic = isSplit && mapping->split->loop->isAtomic;
  if (isSplit)
    launch.hostLoops.push_back(isAtomic
                                   ? "the first values of sums and the sums"
                                   : "the parts of sums and the sums");
  Expected<int64_t> shared = dynamicSharedBytes(withPartsOfSums(nest, *mapping),
                                                gpu, values, templateArguments);
  if (!shared)
    return shared.takeError();
  launch.dynamicSharedBytes = *shared;
  Context c{nest, nest, *mapping, gpu, options, {}, {}};
  std::vector<std::string> arguments(templateArguments);
  launch.launcher =
      c.name("_launch") +
      (arguments.empty() ? "" : "<" + llvm::join(arguments, ", ") + ">");
  // Device allocations begin at multiples of 256 bytes.
  const bool small = hasSmallArrays(nest, values);
  const bool aligned =
      small && isAligned(alignedArrays(nest), [&](const IndexExpr &e) {
        return valueOf(e, values);
      });
  c.part = options.part + (isAtomic ? "_sums" : isSplit ? "_parts" : "");
  launch.entry =
      c.name("_kernel") + instanceArguments(nest, {small, aligned}, arguments);
  return launch;
}

} // namespace convopt
