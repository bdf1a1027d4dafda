//===- Launches.cpp - What the launcher would launch ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Tensor.h"
#include "convopt/Nest/Unfolding.h"
#include "convopt/Target/Gpu.h"
#include "convopt/Transforms/Structure.h"
#include "interpreter/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::test {

std::vector<int64_t> extentsOf(const Array &a, ArrayRef<int64_t> values) {
  std::vector<int64_t> extents;
  for (const IndexExpr &e : a.extents)
    extents.push_back(*e.evaluate([&](Var v) { return values[v.id]; }));
  return extents;
}

int64_t flatIndex(ArrayRef<int64_t> at, ArrayRef<int64_t> extents) {
  int64_t place = 0;
  for (size_t d = 0; d != at.size(); ++d)
    place = place * extents[d] + at[d];
  return place;
}

Launches::Launches(const Nest &mapped, const program::Kernel &kernel,
                   ArrayRef<program::Kernel> packing, const Case &c,
                   ArrayRef<int64_t> values)
    : nest(withKnownIndices(mapped)), kernel(kernel), packing(packing), c(c),
      values(values.vec()), loops(nest.loopNames.size()) {
  for (const Loop *l : convopt::loops(nest))
    if (isHost(l->kind))
      hostLoops.push_back(l);
  launch.hasBulk = c.hasBulk;
  launch.isAlgebraic = c.isAlgebraic;
  launch.limit = 400'000'000;
  launch.elementSizes = {{"double", 8}, {"short", 2},
                         {"__half", 2}, {"unsigned char", 1},
                         {"float", 4},  {"T", c.isOfDoubles ? 8 : 4}};
  // The kernel's parameters come in the order of the nest's.
  size_t next = 0;
  for (unsigned k = 0; k != nest.arrays.size(); ++k)
    if (const Array &a = nest.arrays[k];
        !a.isLocal() || (a.buffer && a.buffer->isOnHost()))
      names[k] = kernel.parameters[next++]->name;
}

void Launches::setArray(unsigned id, std::vector<uint64_t> elements) {
  program::LaunchArray &a = launch.arrays[names.at(id)];
  a.elements = std::move(elements);
  a.isReadOnly = nest.arrays[id].role == Array::Input;
}

int64_t Launches::value(const IndexExpr &e) const {
  return *e.evaluate(
      [&](Var v) { return v.kind == Var::Param ? values[v.id] : loops[v.id]; });
}

int64_t Launches::value(const Bound &b) const {
  return divideCeilSigned(value(b.expr), b.divisor);
}

std::pair<int64_t, int64_t> Launches::rangeOf(const Loop &l) const {
  int64_t first = INT64_MIN, end = INT64_MAX;
  for (const Bound &b : l.lower)
    first = std::max(first, value(b));
  for (const Bound &b : l.upper)
    end = std::min(end, value(b));
  return {first, end};
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Gives values to the scalars of the kernel. Refuses what the launcher would.
Error Launches::bind() {
  std::vector<std::string> own;
  for (const std::string &name : nest.function.templateArgs) {
    auto p =
        find_if(nest.params, [&](const Param &p) { return p.name == name; });
    own.push_back(p == nest.params.end()
                      ? (c.isOfDoubles ? "double" : "float")
                      : std::to_string(values[p - nest.params.begin()]));
  }
  Expected<KernelLaunch> all =
      launchOf(nest, *findGpu(c.arch), {}, values, own);
  if (!all)
    return all.takeError();
  size_t next = names.size();
  for (size_t k = 0; k != nest.params.size(); ++k)
    if (!nest.params[k].definition)
      launch.scalars[kernel.parameters[next++]->name] = values[k];
  next += hostLoops.size();
  if (next != kernel.parameters.size()) // whether vectors are aligned
    launch.scalars[kernel.parameters[next]->name] =
        StringRef(all->entry).contains("true");
  launch.sharedBytes = all->dynamicSharedBytes;
  if (launch.sharedBytes == 0)
    launch.sharedBytes = std::nullopt;
  bindTensorMaps();
  return Error::success();
}

void Launches::bindTensorMaps() {
  std::map<std::string, unsigned> used;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *copy = dyn_cast<Copy>(&n);
    if (!copy || nest.arrays[copy->buffer].buffer->layout.copyKind !=
                     BufferLayout::Tensor)
      return;
    Expected<TensorBox> box = tensorBoxOf(nest, *copy);
    if (!box)
      return consumeError(box.takeError());
    const unsigned of = nest.arrays[copy->buffer].buffer->of;
    const std::string name = nest.arrays[of].name + "_map";
    const unsigned count = ++used[name];
    launch.tensorMaps[count == 1 ? name : name + "_" + std::to_string(count)] =
        {names.at(of), extentsOf(nest.arrays[of], values), box->extents};
  });
}

//===----------------------------------------------------------------------===//
// Buffers of the device
//===----------------------------------------------------------------------===//

/// What a buffer holds, from the definition of its layout.
std::vector<uint64_t> Launches::filled(const Copy &copy) const {
  const Array &buffer = nest.arrays[copy.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  const std::vector<uint64_t> &source =
      launch.arrays.at(names.at(buffer.buffer->of)).elements;
  const std::vector<int64_t> extents = extentsOf(of, values);
  const int64_t block = buffer.buffer->layout.block;
  // Digits of a place, from the fastest: dimension, how many, its weight.
  std::vector<std::array<int64_t, 3>> digits;
  int64_t size = 1;
  const StorageMap map(nest, buffer);
  const ArrayRef<unsigned> dims = map.dims();
  auto add = [&](unsigned d, int64_t count, int64_t weight) {
    digits.push_back({d, count, weight});
    size *= count;
  };
  for (unsigned d : reverse(dims)) {
    const int64_t extent = value(map.extent(d));
    const bool isRow = d == dims.back();
    add(d, isRow && block != 1 ? block : extent, 1);
  }
  if (block != 1 && !dims.empty())
    add(dims.back(), value(map.extent(dims.back())) / block, block);
  std::vector<uint64_t> elements(size, 0);
  std::vector<int64_t> base;
  for (const IndexExpr &e : copy.base)
    base.push_back(value(e));
  for (int64_t k = 0; k != size; ++k) {
    std::vector<int64_t> at = base;
    int64_t rest = k;
    for (const auto &[d, count, weight] : digits) {
      at[d] += rest % count * weight * buffer.buffer->stride(d);
      rest /= count;
    }
    if (const auto &unfolding = buffer.buffer->unfolding) {
      const std::vector<IndexExpr> place(at.begin(), at.end());
      at.clear();
      for (const IndexExpr &e : elementAt(*unfolding, place))
        at.push_back(value(e));
    }
    bool isInside = true;
    for (size_t d = 0; d != at.size(); ++d)
      isInside &= at[d] >= 0 && at[d] < extents[d];
    const int64_t place = isInside ? flatIndex(at, extents) : -1;
    if (place >= 0 && place < int64_t(source.size()))
      elements[k] = source[place];
    else if (!buffer.buffer->fill.empty())
      elements[k] = program::TextValue(buffer.buffer->fill, c.isAlgebraic)(
          [](unsigned) { return 0; });
  }
  return elements;
}

/// Fills a buffer, and runs the kernel that would.
Error Launches::fill(const Copy &copy) {
  const std::string &name = names.at(copy.buffer);
  program::LaunchArray &to = launch.arrays[name];
  to.isReadOnly = true;
  to.elements = filled(copy);
  auto pack = find_if(packing, [&](const program::Kernel &k) {
    return k.parameters[1]->name == name;
  });
  if (pack == packing.end() || to.elements.empty())
    return Error::success();
  program::Launch own = launch;
  own.arrays.clear();
  const std::string &of = pack->parameters[0]->name;
  own.arrays[of] = launch.arrays.at(of);
  own.arrays[of].isReadOnly = true;
  own.arrays[name].elements.assign(to.elements.size(), program::Uninitialised);
  // A block has so many elements of a row at least; others do nothing.
  constexpr uint64_t PartOfRow = 32;
  own.grid = {int64_t(divideCeil(to.elements.size(), PartOfRow)), 1, 1};
  Expected<program::Outcome> outcome = program::run(*pack, std::move(own));
  if (!outcome)
    return outcome.takeError();
  const std::vector<uint64_t> &found = outcome->arrays.at(name).elements;
  for (size_t k = 0; k != found.size(); ++k)
    if (found[k] != to.elements[k])
      return createStringError(inconvertibleErrorCode(),
                               "'" + name + "' is packed wrongly at " +
                                   std::to_string(k));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Error Launches::run(bool backwards) {
  isBackwards = backwards;
  if (Error e = bind())
    return e;
  return level(nest.body);
}

/// What the host does in one iteration of its loops.
Error Launches::level(const Body &body) {
  for (const NodeRef &n : body) {
    if (const auto *copy = dyn_cast<Copy>(n.get()))
      if (nest.arrays[copy->buffer].buffer->isOnHost())
        if (Error e = fill(*copy))
          return e;
    const auto *l = dyn_cast<Loop>(n.get());
    if (!l || !isHost(l->kind))
      continue;
    auto [first, end] = rangeOf(*l);
    const size_t number = find(hostLoops, l) - hostLoops.begin();
    size_t after = names.size() + count_if(nest.params, [](const Param &p) {
                     return !p.definition;
                   });
    for (int64_t k = 0; k < end - first; ++k) {
      const bool isLast = isBackwards && l->kind == LoopKind::Stream;
      loops[l->id] = isLast ? end - 1 - k : first + k;
      launch.scalars[kernel.parameters[after + number]->name] = loops[l->id];
      if (Error e = level(l->body))
        return e;
    }
    return Error::success();
  }
  return launchOnce(body);
}

Error Launches::launchOnce(const Body &body) {
  launch.grid = {1, 1, 1};
  walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *l = dyn_cast<Loop>(&n);
    if (!l || !isGrid(l->kind))
      return;
    auto [first, end] = rangeOf(*l);
    launch.grid[unsigned(l->kind) - unsigned(LoopKind::GridX)] *=
        std::max<int64_t>(0, end - first);
  });
  if (is_contained(launch.grid, 0))
    return Error::success();
  Expected<program::Outcome> outcome = program::run(kernel, launch);
  if (!outcome)
    return outcome.takeError();
  ++launches;
  operations += outcome->operations;
  launch.arrays = std::move(outcome->arrays);
  return Error::success();
}

} // namespace convopt::test
