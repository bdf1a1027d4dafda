//===- LayerProposals.cpp - Whole blocks and ordinary layers --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeProposals.h"

using namespace llvm;

namespace convopt::verify {

/// Two blocks of each loop over blocks, all of them full: of one loop at a
/// time, then of all. Where each next begins too early by one, nobody computes
/// what is last, and nothing hides that. All other sizes are small, but more
/// than 1, as blocks of several loops may share a dimension of the grid.
void Proposer::proposeBlocks(Pool &pool, const KernelSample &kernel) {
  ShapeChooser &chooser = pool.chooser;
  const std::optional<Shape> few = chooser.choose(
      {{2, 3}, {2, 3}, {3}, {1}, {2}, {1}, {1, 0}, {18, 26, 39}});
  if (!few)
    return;
  auto tryShape = [&](const std::optional<Shape> &shape) {
    if (shape)
      consider(pool, *shape, mostOperations);
  };
  std::optional<Shape> whole = few;
  for (const auto &[count, ofOne] : kernel.blocks()) {
    tryShape(chooser.withCount(*few, count, 2 * ofOne));
    if (whole)
      whole = chooser.withCount(*whole, count, 2 * ofOne);
  }
  tryShape(whole);
}

/// A layer of a few tiles, stride 1 or 2, most of them padded by 1. Kernels for
/// some widths of the filter leave 9 to that for any.
Wanted Proposer::layerFor(ShapeChooser &chooser,
                          const KernelSample &kernel) const {
  Wanted wanted = {{5, 9, 17}, {3, 7},    {3, 3, 2, 4, 5, 9, 9}, {1, 2},
                   {2},        {1, 1, 2}, {1, 1, 0, 2, 3},       {18, 26, 39}};
  for (const auto &[loop, tile] : kernel.tiles())
    if (tile > 1 && byUse.parallel.count(loop))
      wanted.aims[loop] =
          tile * (byUse.window.count(loop) ? chooser.draw({2, 3, 3, 4})
                                           : chooser.draw({1, 1, 2})) +
          chooser.draw({0, 0, 0, 1});
  return wanted;
}

/// Ordinary layers, until each comparison in a branch of the kernel's has
/// decided alone in some shape, as that of a full tile with the end of a padded
/// image. Some cannot, so there is an end.
void Proposer::proposeLayers(Pool &pool, const KernelSample &kernel) {
  constexpr unsigned least = 4, most = 32;
  Features missing = kernel.decisions(&kernel - kernels.data());
  auto see = [&](const Proposal &p) {
    for (const Feature &f : p.features)
      missing.erase(f);
  };
  for_each(concat<const Proposal>(all, pool.found), see);
  for (unsigned k = 0; k != most && (k < least || !missing.empty()); ++k) {
    Wanted wanted = layerFor(pool.chooser, kernel);
    if (k < least) {
      wanted.padding = {1};
      wanted.step = {1 + k % 2};
    }
    const size_t count = pool.found.size();
    propose(pool, wanted);
    if (pool.found.size() > count)
      see(pool.found.back());
  }
}

} // namespace convopt::verify
