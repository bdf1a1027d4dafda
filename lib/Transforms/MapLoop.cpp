//===- MapLoop.cpp - Give a loop to grid or block ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for x_b in 0 .. B {          for x_b in 0 .. B grid.x {
//     for x_t in 0 .. 32 {         for x_t in 0 .. 32 block.x {
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/MapLoop.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace convopt {

StringRef str(LoopKind kind) {
  switch (kind) {
  case LoopKind::Serial:
    return "serial";
  case LoopKind::GridX:
    return "grid.x";
  case LoopKind::GridY:
    return "grid.y";
  case LoopKind::GridZ:
    return "grid.z";
  case LoopKind::BlockX:
    return "block.x";
  case LoopKind::BlockY:
    return "block.y";
  case LoopKind::BlockZ:
    return "block.z";
  case LoopKind::Unrolled:
    return "unrolled";
  case LoopKind::Vector:
    return "vector";
  case LoopKind::Launch:
    return "launch";
  case LoopKind::Stream:
    return "stream";
  }
  llvm_unreachable("a LoopKind");
}

std::optional<LoopKind> parseLoopKind(StringRef text) {
  return StringSwitch<std::optional<LoopKind>>(text)
      .Case("serial", LoopKind::Serial)
      .Case("grid.x", LoopKind::GridX)
      .Case("grid.y", LoopKind::GridY)
      .Case("grid.z", LoopKind::GridZ)
      .Case("block.x", LoopKind::BlockX)
      .Case("block.y", LoopKind::BlockY)
      .Case("block.z", LoopKind::BlockZ)
      .Case("unrolled", LoopKind::Unrolled)
      .Case("vector", LoopKind::Vector)
      .Default(std::nullopt);
}

static Error inside(const Nest &nest, const Loop &grid, const Loop &block) {
  return refuse("Mapping",
                "grid loop '" + nest.loopNames[grid.id] +
                    "' would stand inside block loop '" +
                    nest.loopNames[block.id] + "'",
                grid.range,
                "interchange '" + nest.loopNames[grid.id] + "' outwards first");
}

/// A block holds no blocks: grid loops stand outside.
static Error checkOrder(const Nest &nest, const LoopPath &path, LoopKind kind) {
  if (isGrid(kind))
    for (const NodeRef &n : path.enclosing)
      if (const auto *l = dyn_cast<Loop>(n.get()); l && isBlock(l->kind))
        return inside(nest, *path.loop, *l);
  const Loop *grid = nullptr;
  if (isBlock(kind))
    walk(path.loop->body, [&](const Node &n, const std::vector<NodeRef> &) {
      if (const auto *l = dyn_cast<Loop>(&n); l && isGrid(l->kind) && !grid)
        grid = l;
    });
  if (grid)
    return inside(nest, *grid, *path.loop);
  return Error::success();
}

Expected<Nest> mapLoop(const Nest &nest, unsigned loop, LoopKind kind) {
  Expected<LoopPath> path = findLoop(nest, loop);
  if (!path)
    return path.takeError();
  if (kind != LoopKind::Serial && !isParallel(kind))
    return refuse("usage",
                  "loop '" + nest.loopNames[loop] + "' cannot be mapped to '" +
                      str(kind).str() + "'",
                  path->loop->range,
                  "map to grid.x, grid.y, grid.z, block.x, block.y, block.z or "
                  "serial");
  for (const Loop *l : loops(nest))
    if (isBlock(kind) && l->kind == kind && l->id != loop)
      return refuse("Mapping",
                    str(kind).str() + " is taken by loop '" +
                        nest.loopNames[l->id] + "'",
                    path->loop->range, "map one of them to another dimension");
  if (Error e = checkOrder(nest, *path, kind))
    return std::move(e);
  auto mapped = std::make_shared<Loop>(*path->loop);
  mapped->kind = kind;
  return replaceLoop(nest, loop, {mapped});
}

} // namespace convopt
