//===- BorderProposals.cpp - Where one comparison just denies full tiles --===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A test of a full tile that is off by one shows where that comparison alone
/// fails, by the least, for some thread. Few shapes are such: draws seldom find
/// them. So they are searched for, by how far a shape is from one: sizes change
/// one at a time as long as that comes closer.
///
//===----------------------------------------------------------------------===//

#include "ShapeProposals.h"

using namespace llvm;

namespace convopt::verify {

namespace {
/// From shapes towards \p wanted of the kernel, number \p k.
struct Approach {
  const Nest &nest;
  ShapeChooser &chooser;
  const KernelSample &kernel;
  int64_t k;
  Feature wanted;
  Shape at = {};
  int64_t left = 0;

  /// The last one that the chooser found; none where it does not come to it.
  std::optional<Shape> from(const Shape &shape, int64_t distance);
  bool move(const Param &param, unsigned id, int64_t by);
};
} // namespace

/// Changes \p param, if that comes closer.
bool Approach::move(const Param &param, unsigned id, int64_t by) {
  const int64_t value = at.sizes.at(param.name) + by;
  const std::optional<Shape> next =
      value < 0 ? std::nullopt : chooser.withSize(at, id, value);
  if (!next)
    return false;
  const auto distances = kernel.distances(*next, k);
  auto it = distances.find(wanted);
  if (it == distances.end() || it->second >= left)
    return false;
  at = *next;
  left = it->second;
  return true;
}

std::optional<Shape> Approach::from(const Shape &shape, int64_t distance) {
  at = shape;
  left = distance;
  for (bool moves = true; moves && left > 0;) {
    moves = false;
    for (const auto &[id, param] : enumerate(nest.params))
      for (int64_t by : {-1, 1}) {
        const int64_t before = left;
        if (param.definition || left == 0 || !move(param, id, by))
          continue;
        moves = true;
        // As far as that goes on.
        if (const int64_t more = left / (before - left); more > 0)
          move(param, id, by * more);
      }
  }
  return left == 0 ? std::optional(at) : std::nullopt;
}

/// Comparisons that decided alone and by the least in no shape. Some cannot, as
/// others fail before they do.
void Proposer::proposeBorders(Pool &pool, const KernelSample &kernel) {
  constexpr size_t starts = 8;
  const int64_t k = &kernel - kernels.data();
  std::map<Feature, std::vector<std::pair<int64_t, size_t>>> closest;
  for (const auto &[at, p] : enumerate(pool.found))
    for (const auto &[wanted, distance] : kernel.distances(p.shape, k))
      closest[wanted].push_back({distance, at});
  for (auto &[wanted, from] : closest) {
    auto shows = [&](const Proposal &p) { return p.features.count(wanted); };
    if (any_of(concat<const Proposal>(all, pool.found), shows))
      continue;
    llvm::sort(from);
    Approach approach{nest, pool.chooser, kernel, k, wanted};
    for (const auto &[distance, at] : ArrayRef(from).take_front(starts)) {
      const std::optional<Shape> shape =
          approach.from(Shape(pool.found[at].shape), distance);
      if (!shape)
        continue;
      const size_t count = pool.found.size();
      consider(pool, *shape, mostOperations);
      if (pool.found.size() == count)
        continue;
      if (sample.isSnug(pool.found.back().values))
        break;
      pool.found.pop_back();
    }
  }
}

} // namespace convopt::verify
