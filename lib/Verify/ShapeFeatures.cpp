//===- ShapeFeatures.cpp - What a shape shows -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeProposals.h"
#include "TemplateInstances.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt::verify {

void Proposer::addSizes(const Shape &shape, Features &features) const {
  for (auto a = shape.sizes.begin(); a != shape.sizes.end(); ++a) {
    const int64_t index = std::distance(shape.sizes.begin(), a);
    features.insert(
        feature(Seen::Size, index, std::min<int64_t>(a->second, 3)));
    for (auto b = shape.sizes.begin(); b != a; ++b)
      if (a->second != b->second)
        features.insert(
            feature(Seen::Apart, index, std::distance(shape.sizes.begin(), b)));
  }
}

void Proposer::addAssumptions(const Values &values, Features &features) const {
  const Assumption *failing = nullptr;
  bool isOne = true;
  for (const auto &[k, a] : enumerate(nest.assumptions)) {
    const FlatExpr fact(nest, a.fact.expr, values);
    const std::optional<int64_t> value = fact.evaluate(values);
    if (!value)
      continue;
    features.insert(
        feature(Seen::Tight, k, std::clamp<int64_t>(*value, -1, 1)));
    if (*value < 0) {
      isOne &= *value == -1 && (!failing || failing->fact == a.fact);
      failing = &a;
    }
  }
  if (failing && isOne)
    features.insert(
        feature(Seen::Tight, failing - nest.assumptions.data(), failsAlone));
}

void Proposer::addInstances(const Shape &shape, Features &features) const {
  for (const auto &[k, instance] : enumerate(instances))
    if (hasSizesOf(nest, instance, shape))
      features.insert(feature(Seen::Given, k));
}

/// Whether \p loop runs more than four times.
static bool runsOften(const Features &features, unsigned loop) {
  return any_of(ArrayRef<int64_t>{3, 4, 6}, [&](int64_t how) {
    return features.count(feature(Seen::Trips, loop, how)) != 0;
  });
}

/// One window of several elements, outputs in whole tiles, and more than four
/// of both in each direction that sizes decide about.
void Proposer::addTrips(Features &features) const {
  auto runs = [&](unsigned loop, int64_t how) {
    return features.count(feature(Seen::Trips, loop, how)) != 0;
  };
  if (all_of(loops(nest), [&](const Loop *l) {
        return !byUse.window.count(l->id) || constantUpper(nest, *l) ||
               runsOften(features, l->id);
      }))
    features.insert(feature(Seen::Inner));
  if (all_of(byUse.window, [&](unsigned l) {
        return runs(l, 1) == (byUse.parallel.count(l) != 0);
      }))
    features.insert(feature(Seen::Single));
  if (none_of(byUse.parallel, [&](unsigned l) { return runs(l, 5); }))
    features.insert(feature(Seen::Whole));
}

/// What each way of the branches of kernel \p k is wanted with.
void Proposer::addWays(size_t k, const Values &values,
                       Features &features) const {
  constexpr auto again = static_cast<int64_t>(KernelLoop::Second),
                 wraps = static_cast<int64_t>(KernelLoop::Wraps),
                 isLong = static_cast<int64_t>(KernelLoop::Long);
  auto isOf = [&](const Feature &f, Seen kind) {
    return f[0] == static_cast<int64_t>(kind) && f[1] / 2 == int64_t(k);
  };
  std::vector<int64_t> ways, runs;
  for (const Feature &f : features) {
    if (isOf(f, Seen::Branch))
      ways.push_back(f[2] << 32);
    if (const int64_t how = f[2] & 0xFF;
        isOf(f, Seen::KernelLoop) &&
        (how == again || how == wraps || how == isLong))
      runs.push_back(f[2]);
  }
  if (all_of(steps.stepParams(),
             [&](unsigned step) { return values.at(step).value_or(1) == 1; }))
    for (const Feature &f : Features(features))
      if (f[0] == static_cast<int64_t>(Seen::Edge) && f[1] == int64_t(k))
        features.insert(feature(Seen::PlainEdge, k, f[2]));
  // What multiplies a loop of one iteration is nothing.
  auto counts = [&](unsigned p) {
    return values.at(p) > 1 && all_of(steps.loopsTimes(p), [&](unsigned l) {
             return !features.count(feature(Seen::Trips, l, 1));
           });
  };
  for (int64_t way : ways) {
    for (unsigned p :
         concat<const unsigned>(steps.stepParams(), steps.paddingParams()))
      if (counts(p))
        features.insert(feature(Seen::Stepped, k, way | p));
    for (int64_t run : runs)
      features.insert(feature(Seen::Repeated, k, way | run));
  }
}

/// Kernels are run by themselves wherever they can be, but of several parts,
/// which run together, the first that takes the sizes. One for many blocks
/// takes none that are verified. The launcher takes the first of all.
void Proposer::addKernels(const Shape &shape, const Values &values,
                          Features &features) const {
  const Features ofNest = features;
  bool isTaken = false;
  // Of one or two outputs each may be the same by chance.
  const bool hasMany = any_of(
      byUse.parallel, [&](unsigned l) { return runsOften(features, l); });
  const bool hasParts = !kernels.empty() && kernels.back().part() != 0;
  for (const auto &[k, kernel] : enumerate(kernels)) {
    const bool isGeneral =
        k + 1 == kernels.size() || kernels[k + 1].part() != kernel.part();
    isTaken &= k == 0 || kernels[k - 1].part() == kernel.part();
    if (isTaken && hasParts)
      continue;
    if (!isGeneral && !kernel.takes(shape))
      continue;
    kernel.addFeatures(shape, k, features);
    if (isTaken && isGeneral) // the launcher does not come to it
      features.erase(feature(Seen::Kernel, k));
    isTaken |= !kernel.isForManyBlocks();
    if (ofNest.count(feature(Seen::Inner)))
      features.insert(feature(Seen::Inner, k + 1));
    // Flags and kinds choose what is computed, and each kernel has a copy.
    for (unsigned p : hasMany ? steps.dataParams() : std::set<unsigned>()) {
      const int64_t value = *values.at(p);
      const int64_t kind = value > 100 ? 4 : std::clamp<int64_t>(value, -1, 3);
      features.insert(feature(Seen::Value, k, p << 3 | (kind + 1)));
    }
    addWays(k, values, features);
    // Its statements, guards, and gaps between rows.
    for (const Feature &f : ofNest)
      if (const Seen kind = static_cast<Seen>(f[0]);
          kind <= Seen::Fails || kind == Seen::Tight)
        features.insert(
            feature(Seen::InKernel, k, f[0] << 32 | f[1] << 3 | (f[2] + 2)));
  }
}

Features Proposer::featuresOf(const Shape &shape, const Values &values) const {
  Features features;
  sample.walk(values, features);
  addSizes(shape, features);
  addAssumptions(values, features);
  addInstances(shape, features);
  addTrips(features);
  addKernels(shape, values, features);
  return features;
}

} // namespace convopt::verify
