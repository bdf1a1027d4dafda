//===- DefaultTile.cpp - Tiles where none are given -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/DefaultTile.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

namespace {

class Chooser {
public:
  Chooser(const Nest &nest, const Roles &roles, const Gpu &gpu)
      : roles(roles), warp(gpu.warpSize) {
    isGuarded = any_of(statements(nest), [](const StatementPath &p) {
      return !select<Guard>(p.enclosing).empty();
    });
    for (const Loop *l : loops(nest))
      if (is_contained(roles.band, l->id))
        extents[l->id] = constantTrips(nest, *l);
  }

  TileSpec run() {
    start();
    TileSpec fitted = fit();
    while (blocks(fitted) < WantedBlocks && shrink())
      fitted = fit();
    return fitted;
  }

private:
  /// Two blocks for each multiprocessor of a large device.
  static constexpr int64_t WantedBlocks = 256;

  /// What is best on large layers (docs/passes/shorthand.md). Guards of an
  /// image are asked once for all channels, and for each row.
  void start() {
    const auto &x = roles.x, &y = roles.y, &z = roles.z;
    if (x && y && z && z == roles.fields) {
      wanted = {{*x, {warp, 1}}, {*y, {8, 4}}, {*z, {1, *extents.at(*z)}}};
    } else if (x && y && z) {
      wanted = isGuarded
                   ? TileSpec{{*x, {warp, 1}}, {*y, {2, 1}}, {*z, {2, 8}}}
                   : TileSpec{{*x, {warp, 1}}, {*y, {2, 8}}, {*z, {2, 4}}};
    } else if (x && (y || z)) {
      wanted = {{*x, {warp, 1}}, {y ? *y : *z, {8, 4}}};
    } else {
      std::optional<unsigned> only = x ? x : y ? y : z;
      wanted = {{only ? *only : roles.others.back(), {8 * warp, 1}}};
    }
  }

  /// No tile is larger than a constant extent needs. What a narrow image
  /// leaves of its threads goes to its rows.
  TileSpec fit() const {
    TileSpec fitted;
    for (const auto &[loop, tile] : wanted)
      fitted[loop] = fit(loop, tile);
    if (roles.x && roles.y && wanted.count(*roles.y)) {
      LoopTile rows = wanted.at(*roles.y);
      rows.threads *= std::max<int64_t>(
          wanted.at(*roles.x).threads / fitted.at(*roles.x).threads, 1);
      fitted[*roles.y] = fit(*roles.y, rows);
    }
    return fitted;
  }

  LoopTile fit(unsigned loop, LoopTile tile) const {
    std::optional<int64_t> extent = extents.at(loop);
    if (!extent)
      return tile;
    auto atMost = [](int64_t size, int64_t n) {
      return std::min<int64_t>(size, PowerOf2Ceil(std::max<int64_t>(n, 1)));
    };
    tile.outputs = atMost(tile.outputs, *extent);
    tile.threads = atMost(tile.threads, divideCeil(*extent, tile.outputs));
    return tile;
  }

  /// How many blocks the nest comes to; enough where that is not known.
  int64_t blocks(const TileSpec &spec) const {
    int64_t count = 1;
    auto add = [&](unsigned loop) {
      std::optional<int64_t> extent = extents.at(loop);
      auto tile = spec.find(loop);
      int64_t size =
          tile == spec.end() ? 1 : tile->second.threads * tile->second.outputs;
      if (!extent || count >= WantedBlocks)
        count = WantedBlocks;
      else
        count *= std::max<int64_t>(divideCeil(*extent, size), 1);
    };
    for (std::optional<unsigned> id : {roles.x, roles.y, roles.z})
      if (id)
        add(*id);
    for (unsigned id : roles.others)
      add(id);
    return count;
  }

  /// Halves the largest register tile; false where none is left.
  bool shrink() {
    auto largest = max_element(wanted, [](const auto &a, const auto &b) {
      return a.second.outputs < b.second.outputs;
    });
    if (largest->second.outputs == 1)
      return false;
    largest->second.outputs /= 2;
    return true;
  }

  const Roles &roles;
  int64_t warp;
  bool isGuarded;
  std::map<unsigned, std::optional<int64_t>> extents;
  TileSpec wanted;
};

} // namespace

TileSpec defaultTile(const Nest &nest, const Roles &roles, const Gpu &gpu) {
  return Chooser(nest, roles, gpu).run();
}

} // namespace convopt
