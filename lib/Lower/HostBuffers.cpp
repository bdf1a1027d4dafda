//===- HostBuffers.cpp - Buffers that the launcher fills ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"
#include "KernelBody.h"
#include "SharedMemory.h"
#include "Values.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

std::vector<const Copy *> copiesTo(const Nest &nest, const Mapping &m,
                                   Buffer::Memory memory) {
  std::vector<const Copy *> copies;
  for (const HostLevel &level : m.host)
    for (const Copy *c : level.copies)
      if (nest.arrays[c->buffer].buffer->memory == memory)
        copies.push_back(c);
  return copies;
}

IndexExpr named(const Nest &nest, const IndexExpr &e) {
  if (e.isConstant()) // the same number has other meanings
    return e;
  for (size_t k = nest.params.size(); k-- != 0;)
    if (nest.params[k].definition == e)
      return IndexExpr::param(k);
  return e;
}

/// `y` for dimension \p dim of a buffer that `y + i` indexes.
static std::string dimensionWord(const Nest &nest, const Array &buffer,
                                 unsigned dim) {
  return StringRef(coordinateName(nest, buffer, dim)).drop_back(2).str();
}

Nest withSizesOfBuffers(const Nest &nest, ArrayRef<std::string> reserved) {
  Nest result = nest;
  Names names(nest, reserved);
  for (const Array &a : nest.arrays) {
    if (!a.buffer || !a.buffer->isOnHost())
      continue;
    const StorageMap map(nest, a);
    for (unsigned d : map.dims()) {
      IndexExpr e = map.extent(d);
      if (e.isConstant() || e.asVar() || named(result, e) != e)
        continue;
      Param size;
      size.name = names.fresh(a.name + "_" + dimensionWord(nest, a, d));
      size.definition = e;
      result.params.push_back(std::move(size));
    }
  }
  return result;
}

Error checkRestart(const Nest &nest, const Mapping &m) {
  auto isInOut = [](const Array &a) { return a.role == Array::InOut; };
  auto changed = find_if(nest.arrays, isInOut);
  if (!nest.function.isKernel || changed == nest.arrays.end())
    return Error::success();
  for (const HostLevel &level : m.host)
    for (const Copy *c : level.copies) {
      const Array &buffer = nest.arrays[c->buffer];
      if (!level.loop ||
          (buffer.buffer->memory == Buffer::Constant && isDirect(nest, *c)))
        continue;
      return refuse("structure",
                    "'" + changed->name +
                        "' is read and written, and memory for '" +
                        buffer.name + "' is taken between launches of '" +
                        nest.loopNames[level.loop->id] +
                        "': where there is none, the naive kernel would "
                        "repeat what is done",
                    c->range,
                    "stage '" + nest.arrays[buffer.buffer->of].name +
                        "' at launch, outside of every loop");
    }
  return Error::success();
}

std::vector<const Loop *> loopsAround(const Mapping &m, size_t level) {
  std::vector<const Loop *> loops;
  for (size_t k = 0; k <= level; ++k)
    if (m.host[k].loop)
      loops.push_back(m.host[k].loop);
  return loops;
}

std::vector<Expr> sizeArguments(const Context &c, ArrayRef<const Loop *> loops,
                                const Names &names) {
  std::vector<Expr> all;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ParamArg)
      all.push_back(names(paramVar(a.index)));
  for (const Loop *l : loops)
    all.push_back(c.hostLoops.at(l->id));
  return all;
}

std::vector<HostBuffer> hostBuffers(const Context &c, Names &names) {
  std::vector<HostBuffer> buffers;
  for (Buffer::Memory memory : {Buffer::Global, Buffer::Constant})
    for (const Copy *copy : copiesTo(c.nest, c.mapping, memory)) {
      const Array &a = c.nest.arrays[copy->buffer];
      const std::string &type = a.elementType;
      buffers.push_back(
          {copy, &a, variable(pointer(type), a.name),
           variable(wide("size_t"), names.fresh(a.name + "_elements"), true)});
    }
  return buffers;
}

const ArrayArgument &sourceOf(const Context &c, const HostBuffer &buffer,
                              ArrayRef<ArrayArgument> arrays) {
  return *llvm::find_if(arrays, [&](const ArrayArgument &a) {
    return a.array == &c.nest.arrays[buffer.array->buffer->of];
  });
}

void defineElements(const Context &c, ArrayRef<HostBuffer> buffers,
                    const Names &names, Block &b) {
  for (const HostBuffer &f : buffers)
    define(b, f.elements,
           elementCount(c, allocatedOf(c.nest, *f.array, names)));
}

} // namespace convopt::lower
