//===- MapLoop.cpp - Give a loop to grid, block or host -------------------===//
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
#include "convopt/Nest/SplitSum.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

static Error inside(const Nest &nest, const Loop &grid, const Loop &block) {
  return refuse("Mapping",
                "grid loop '" + nest.loopNames[grid.id] +
                    "' would stand inside block loop '" +
                    nest.loopNames[block.id] + "'",
                grid.range,
                "interchange '" + nest.loopNames[grid.id] + "' outwards first");
}

/// The host runs the outermost loops.
static Error checkHost(const Nest &nest, const LoopPath &path, LoopKind kind) {
  const std::string &name = nest.loopNames[path.loop->id];
  if (isHost(kind))
    for (const NodeRef &n : path.enclosing) {
      const auto *l = dyn_cast<Loop>(n.get());
      if (l && isHost(l->kind))
        continue;
      return refuse("Mapping",
                    "loop '" + name + "' of launches would stand inside " +
                        (l ? "loop '" + nest.loopNames[l->id] + "'"
                           : std::string("a guard")),
                    path.loop->range,
                    "interchange '" + name + "' outwards first");
    }
  for (const Loop *l : loops(nest))
    if (kind == LoopKind::Stream && l->kind == kind && l != path.loop)
      return refuse("Mapping",
                    "loop '" + nest.loopNames[l->id] +
                        "' spreads its launches over streams already",
                    path.loop->range, "map one of them to launch");
  for (const Loop *l : collect<Loop>(path.loop->body))
    if (isHost(l->kind) && !isHost(kind))
      return refuse("Mapping",
                    "loop '" + nest.loopNames[l->id] +
                        "' of launches would stand inside loop '" + name + "'",
                    path.loop->range, "map '" + name + "' to launch, too");
  return Error::success();
}

/// A block holds no blocks: grid loops stand outside, but for those that add up
/// parts of sums.
static Error checkOrder(const Nest &nest, const LoopPath &path, LoopKind kind) {
  if (isGrid(kind) && splittableSums(nest, *path.loop).empty())
    for (const Loop *l : select<Loop>(path.enclosing))
      if (isBlock(l->kind))
        return inside(nest, *path.loop, *l);
  if (isBlock(kind))
    for (const Loop *l : collect<Loop>(path.loop->body))
      if (isGrid(l->kind) && splittableSums(nest, *l).empty())
        return inside(nest, *l, *path.loop);
  return Error::success();
}

Expected<Nest> mapLoop(const Nest &nest, unsigned loop, LoopKind kind,
                       unsigned streams, bool isAtomic) {
  ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, loop));
  if (kind != LoopKind::Serial && !isParallel(kind) && !isHost(kind))
    return refuse("usage",
                  "loop '" + nest.loopNames[loop] + "' cannot be mapped to '" +
                      str(kind).str() + "'",
                  path.loop->range,
                  "map to grid.x, grid.y, grid.z, block.x, block.y, block.z, "
                  "launch, stream or serial");
  if (streams < 1 || streams > MaxStreams)
    return refuse("usage",
                  "loop '" + nest.loopNames[loop] + "' cannot have " +
                      std::to_string(streams) + " streams",
                  path.loop->range,
                  "give it 1 to " + std::to_string(MaxStreams));
  for (const Loop *l : loops(nest))
    if (isBlock(kind) && l->kind == kind && l->id != loop)
      return refuse("Mapping",
                    str(kind).str() + " is taken by loop '" +
                        nest.loopNames[l->id] + "'",
                    path.loop->range, "map one of them to another dimension");
  if (isAtomic && splittableSums(nest, *path.loop).empty())
    return refuse("Mapping",
                  "loop '" + nest.loopNames[loop] +
                      "' cannot be atomic: it adds to no sum that each thread "
                      "has in a variable",
                  path.loop->range, "leave out ',atomic'");
  RETURN_IF_ERROR(checkHost(nest, path, kind));
  RETURN_IF_ERROR(checkOrder(nest, path, kind));
  auto mapped = std::make_shared<Loop>(*path.loop);
  mapped->kind = kind;
  mapped->streams = kind == LoopKind::Stream ? streams : 1;
  mapped->isAtomic = isAtomic;
  return replaceLoop(nest, loop, {mapped});
}

static Expected<PassCall> bindMapLoop(StepWords &words) {
  const bool isAtomic = words.size() == 3 && words[2] == "atomic";
  if (words.size() != 2 && !isAtomic)
    return words.refuseArguments();
  auto [word, number] = StringRef(words[1]).split(':');
  std::optional<LoopKind> kind = parseLoopKind(word);
  bool counts = word.size() != words[1].size();
  if (!kind || (counts && *kind != LoopKind::Stream) ||
      (isAtomic && !isParallel(*kind)))
    return words.refuseArguments();
  unsigned streams = *kind == LoopKind::Stream ? DefaultStreams : 1;
  if (counts) {
    ASSIGN_OR_RETURN(int64_t given,
                     parseNumber(number, "give a number, as in stream:3"));
    // Whether a loop may have so many is for the pass to say.
    streams = unsigned(std::clamp<int64_t>(given, 0, UINT16_MAX));
  }
  if (*kind == LoopKind::Stream)
    words.set({words[0], "stream:" + std::to_string(streams)});
  return PassCall([name = words[0], kind = *kind, streams, isAtomic](
                      const Nest &nest, PrimitiveDone) -> Expected<Nest> {
    ASSIGN_OR_RETURN(unsigned loop, findLoopByName(nest, name));
    return mapLoop(nest, loop, kind, streams, isAtomic);
  });
}

const Pass mapLoopPass{
    "map",
    "LOOP,grid.x (or grid.y, grid.z, block.x, block.y, block.z, launch, "
    "stream:3, serial; blocks and threads that share a sum: grid.x,atomic)",
    "Give a loop to grid, block or host", bindMapLoop};

} // namespace convopt
