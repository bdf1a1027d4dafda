//===- LaunchPlan.cpp - Arrays that the launcher copies -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchPlan.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

/// An iteration count that is not known.
static constexpr int64_t UnknownTrips = 5;

int64_t workOf(const Nest &nest, ArrayRef<const Loop *> inside) {
  int64_t work = 1;
  for (const Loop *l : inside) {
    std::optional<int64_t> trips = constantTrips(nest, *l);
    if (!trips)
      trips = constantUpper(nest, *l);
    work = SaturatingMultiply<uint64_t>(work, trips.value_or(UnknownTrips));
  }
  return std::min<uint64_t>(work, INT32_MAX);
}

int64_t knownElements(const Nest &nest, unsigned array) {
  uint64_t elements = 1;
  for (const IndexExpr &e : nest.arrays[array].extents)
    elements =
        SaturatingMultiply<uint64_t>(elements, nest.constantOf(e).value_or(1));
  return std::min<uint64_t>(elements, INT64_MAX);
}

std::string whyNotPacked(const SumReads &sum, unsigned array) {
  const Nest &nest = *sum.nest;
  const int64_t elements = knownElements(nest, array);
  uint64_t reuse = 1;
  std::vector<const Loop *> all = sum.tiled;
  for (const auto &loops : {sum.around, sum.serial, sum.blocks, sum.grid})
    append_range(all, loops);
  bool isKnown = all_of(
      all, [&](const Loop *l) { return constantUpper(nest, *l).has_value(); });
  for (const Loop *l : sum.grid)
    if (!sum.uses(array, l))
      reuse = std::min<uint64_t>(
          reuse * constantUpper(nest, *l).value_or(INT32_MAX), INT32_MAX);
  switch (packingFault(elements,
                       isKnown ? std::optional<double>(workOf(nest, all))
                               : std::nullopt,
                       reuse)) {
  case PackingFault::None:
    return "";
  case PackingFault::Large:
    return "it has " + std::to_string(elements) + " elements";
  case PackingFault::Short:
    return "the whole sum takes no longer than another kernel's start";
  case PackingFault::Unshared:
    break;
  }
  return "an element is read by " + std::to_string(reuse) +
         (reuse == 1 ? " block" : " blocks") + " only";
}

std::optional<int64_t> bytesOf(const Nest &nest, unsigned array) {
  const Array &a = nest.arrays[array];
  int64_t bytes = elementSize(a.elementType).value_or(8);
  for (const IndexExpr &e : a.extents) {
    std::optional<int64_t> extent = nest.constantOf(e);
    if (!extent || *extent < 1 || MulOverflow(bytes, *extent, bytes))
      return std::nullopt;
  }
  return bytes;
}

std::optional<Step> constantStep(const SumReads &sum, unsigned array,
                                 int64_t available) {
  const Array &a = sum.nest->arrays[array];
  std::optional<int64_t> bytes = bytesOf(*sum.nest, array);
  StageArguments step{{Buffer::Constant}, a.name, "launch"};
  // The dimension along which a thread has several elements at a time.
  const std::vector<DimUse> dims = sum.useOf(array);
  auto outputs =
      find_if(reverse(dims), [](const DimUse &d) { return d.outputs != 0; });
  if (outputs != dims.rend() && bytes.value_or(0) > NearCache) {
    const unsigned last = dims.rend() - outputs - 1;
    const int64_t count = outputs->outputs;
    const int64_t extent = sum.nest->constantOf(a.extents[last]).value_or(1);
    step.layout.order = orderWithLast(a.extents.size(), last);
    if (count < extent) {
      step.layout.block = count;
      *bytes = *bytes / extent * alignTo(extent, count);
    }
  }
  return isConstant(dims, bytes, available, whyNotPacked(sum, array).empty())
             ? std::optional(Step(stagePass, step.words()))
             : std::nullopt;
}

} // namespace convopt
