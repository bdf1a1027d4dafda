//===- Transform.cpp - A step without its checks --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/Distribute.h"
#include "convopt/Transforms/IfConvert.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Unroll.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

Expected<unsigned> findLoopByName(const Nest &nest, StringRef name) {
  std::vector<unsigned> all, named;
  for (const Loop *l : loops(nest)) {
    all.push_back(l->id);
    if (nest.loopNames[l->id] == name)
      named.push_back(l->id);
  }
  if (named.size() == 1)
    return named.front();
  std::string what = named.empty()
                         ? "there is no loop '" + name.str() + "'"
                         : "there are several loops '" + name.str() + "'";
  return refuse("usage", what, nest.function.range,
                all.empty() ? "the nest has no loops"
                            : "the loops are " + quoteLoops(nest, all));
}

static Expected<unsigned> findArrayByName(const Nest &nest, StringRef name) {
  std::string known;
  for (size_t i = 0; i != nest.arrays.size(); ++i) {
    const Array &a = nest.arrays[i];
    if (a.name == name)
      return unsigned(i);
    known += (known.empty() ? "'" : ", '") + a.name + "'";
  }
  return refuse("usage", "there is no array '" + name.str() + "'",
                nest.function.range, "the arrays are " + known);
}

/// Copy engines work in units of 16 bytes, as many elements as that is.
static Error setUnit(const Nest &nest, unsigned array, BufferLayout &layout) {
  const Array &a = nest.arrays[array];
  std::string engine = BufferLayout::engineNames[layout.engine];
  std::optional<int64_t> size = elementSize(a.elementType);
  if (!size)
    return refuse("limit",
                  "the " + engine +
                      " copy engine copies 16 bytes at a time, and the size "
                      "of '" +
                      a.elementType + "' is not known",
                  a.range, "stage '" + a.name + "' without " + engine);
  if (layout.vector != 1 && layout.vector != 16 / *size)
    return refuse("usage",
                  "'" + a.name + "' cannot be staged with " + engine +
                      " and vector:" + std::to_string(layout.vector),
                  a.range,
                  "the engine copies 16 bytes at a time: vector:" +
                      std::to_string(16 / *size) + ", or none");
  layout.vector = 16 / *size;
  return Error::success();
}

static Expected<Nest> transformStage(const Nest &nest, const Step &step) {
  Expected<unsigned> array = findArrayByName(nest, step.names[0]);
  if (!array)
    return array.takeError();
  std::optional<unsigned> loop;
  bool isLoop = any_of(loops(nest), [&](const Loop *l) {
    return nest.loopNames[l->id] == step.names[1];
  });
  if (step.names[1] != "launch" || isLoop) {
    Expected<unsigned> found = findLoopByName(nest, step.names[1]);
    if (!found)
      return found.takeError();
    loop = *found;
  }
  StageOptions options;
  options.memory = step.memory;
  options.layout = step.layout;
  if (step.layout.engine != BufferLayout::Threads)
    if (Error e = setUnit(nest, *array, options.layout))
      return std::move(e);
  if (step.names.size() == 3)
    options.name = step.names[2];
  return stage(nest, *array, loop, options);
}

static Expected<Nest> limitRegisters(const Nest &nest, int64_t blocks) {
  if (blocks < 1)
    return refuse("usage",
                  std::to_string(blocks) +
                      " blocks cannot reside on a multiprocessor",
                  nest.function.range, "give 1 or more");
  Nest next = nest;
  next.minBlocks = blocks;
  return next;
}

Expected<Nest> transform(const Nest &nest, const Step &step,
                         PrimitiveDone done) {
  if (changesStatements(step.kind)) {
    Expected<unsigned> array = findArrayByName(nest, step.names.front());
    if (!array)
      return array.takeError();
    return step.kind == Step::Kind::ScalarReplace ? scalarReplace(nest, *array)
                                                  : ifConvert(nest, *array);
  }
  if (step.kind == Step::Kind::Stage)
    return transformStage(nest, step);
  if (step.kind == Step::Kind::MinBlocks)
    return limitRegisters(nest, *step.factor);
  // The names that follow the loop of a strip-mining are new.
  bool namesLoops = step.kind == Step::Kind::Interchange;
  std::vector<unsigned> ids;
  for (const std::string &name :
       ArrayRef(step.names).take_front(namesLoops ? step.names.size() : 1)) {
    Expected<unsigned> id = findLoopByName(nest, name);
    if (!id)
      return id.takeError();
    ids.push_back(*id);
  }
  switch (step.kind) {
  case Step::Kind::ScalarReplace:
  case Step::Kind::IfConvert:
  case Step::Kind::Stage:
  case Step::Kind::MinBlocks:
    break;
  case Step::Kind::StripMine:
    if (step.names.size() == 3)
      return stripMine(nest, ids[0], *step.factor, step.names[1],
                       step.names[2]);
    return stripMine(nest, ids[0], *step.factor);
  case Step::Kind::Interchange:
    return interchange(nest, ids);
  case Step::Kind::Distribute:
    return distribute(nest, ids[0]);
  case Step::Kind::Unroll:
    return unroll(nest, ids[0]);
  case Step::Kind::Map:
    return mapLoop(nest, ids[0], step.target, step.streams);
  case Step::Kind::RegisterTile:
    return registerTile(nest, ids[0], step.factor, done);
  }
  llvm_unreachable("a Step::Kind");
}

} // namespace convopt
