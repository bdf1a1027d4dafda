//===- HostBuffers.cpp - Buffers that the launcher fills ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"
#include "KernelBody.h"
#include "SharedMemory.h"
#include "Text.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::emit {

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
  return StringRef(coordinateName(nest, buffer.buffer->of, dim))
      .drop_back(2)
      .str();
}

Nest withSizesOfBuffers(const Nest &nest, ArrayRef<std::string> reserved) {
  Nest result = nest;
  Names names(nest, reserved);
  for (const Array &a : nest.arrays) {
    if (!a.buffer || !a.buffer->isOnHost())
      continue;
    for (unsigned d : storedDims(a)) {
      IndexExpr e = allocatedExtent(nest, a, d);
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

std::string sizeParameters(const Context &c, ArrayRef<const Loop *> loops) {
  std::string text;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ParamArg)
      text += ", int " + a.name;
  for (const Loop *l : loops)
    text += ", int " + c.hostLoops.at(l->id);
  return text;
}

std::string sizeArguments(const Context &c, ArrayRef<const Loop *> loops) {
  std::string text;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ParamArg)
      text += ", " + passedText(c, a);
  for (const Loop *l : loops)
    text += ", " + c.hostLoops.at(l->id);
  return text;
}

std::string packKernel(const Context &c, const Array &buffer,
                       const std::string &offset) {
  return c.name("_pack_") + buffer.name + c.kernelArguments(offset);
}

std::vector<HostBuffer> hostBuffers(const Context &c, Names &names) {
  std::vector<HostBuffer> buffers;
  for (Buffer::Memory memory : {Buffer::Global, Buffer::Constant})
    for (const Copy *copy : copiesTo(c.nest, c.mapping, memory)) {
      const Array &a = c.nest.arrays[copy->buffer];
      buffers.push_back({copy, &a, names.fresh(a.name + "_elements")});
    }
  return buffers;
}

const ArrayArgument &sourceOf(const Context &c, const HostBuffer &buffer,
                              ArrayRef<ArrayArgument> arrays) {
  return *llvm::find_if(arrays, [&](const ArrayArgument &a) {
    return a.array == &c.nest.arrays[buffer.array->buffer->of];
  });
}

std::string printElementCounts(const Context &c, ArrayRef<HostBuffer> buffers,
                               const Names &names) {
  std::string text;
  for (const HostBuffer &b : buffers) {
    std::vector<std::string> extents;
    for (unsigned d : storedDims(*b.array))
      extents.push_back(cudaText(allocatedOf(c.nest, *b.array, d, names)));
    text += "  const size_t " + b.elements + " = " + c.helper("_elements") +
            "({" + llvm::join(extents, ", ") + "});\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// The packing kernel
//===----------------------------------------------------------------------===//

namespace {
/// Prints the kernel of one buffer.
class PackKernel {
public:
  PackKernel(const Context &c, const Names &outer, const Copy &copy,
             std::vector<const Loop *> around)
      : c(c), names(outer), copy(copy), buffer(c.nest.arrays[copy.buffer]),
        of(c.nest.arrays[buffer.buffer->of]), around(std::move(around)) {}
  std::string print();

private:
  std::string printPlaces(const std::string &k);
  std::string printElement(const std::string &k) const;

  const Context &c;
  Names names;
  const Copy &copy;
  const Array &buffer, &of;
  std::vector<const Loop *> around; // of the host
  std::vector<IndexExpr> element;   // of the array
};
} // namespace

/// The place along each dimension, from the element's number \p k.
std::string PackKernel::printPlaces(const std::string &k) {
  std::string text, rest = k;
  std::vector<unsigned> dims = storedDims(buffer);
  element = copy.base;
  auto add = [&](unsigned d, const std::string &extent, int64_t stride) {
    Var v = names.variable(coordinateName(c.nest, buffer.buffer->of, d));
    text += "  const int " + names.text(v) + " = (int)(" + rest +
            (extent.empty() ? "" : " % " + extent) + ");\n";
    rest += " / " + extent;
    element[d] += IndexExpr(stride) * IndexExpr::of(v);
  };
  int64_t block = buffer.buffer->layout.block;
  if (block != 1)
    add(dims.back(), std::to_string(block), 1);
  for (unsigned d : llvm::reverse(dims))
    if (block == 1 || d != dims.back())
      add(d,
          block == 1 && d == dims.front()
              ? ""
              : cudaFactor(allocatedOf(c.nest, buffer, d, names)),
          1);
  if (block != 1)
    add(dims.back(), "", block);
  return text;
}

std::string PackKernel::printElement(const std::string &k) const {
  std::vector<Constraint> ends;
  for (size_t d = 0; d != element.size(); ++d) {
    if (!isProvablyNonNegative(c.nest, copy.base[d], around))
      ends.push_back({Constraint::NonNegative, element[d]});
    IndexExpr room = of.extents[d] - copy.base[d];
    room -= buffer.extents[d] == IndexExpr(1)
                ? IndexExpr(1)
                : allocatedExtent(c.nest, buffer, d);
    if (!isProvablyNonNegative(c.nest, room, around))
      ends.push_back({Constraint::NonNegative, of.extents[d] - 1 - element[d]});
  }
  const std::string &fill = buffer.buffer->fill;
  Access source{buffer.buffer->of, element};
  std::string value = accessText(c.nest, source, names);
  std::string test = cudaText(
      both(names.condition(ends), footprintTest(c.nest, source, names)));
  if (!test.empty())
    value = test + "\n    ? " + value + "\n    : " +
            (fill.empty() ? "(" + buffer.elementType + ")0" : fill);
  return "  " + buffer.name + "[" + k + "] = " + value + ";\n";
}

std::string PackKernel::print() {
  std::string offset = c.offsetType.empty() ? "int" : c.offsetType;
  std::string k = names.fresh("k"), elements;
  for (unsigned d : storedDims(buffer))
    elements += (elements.empty() ? "(" + offset + ")" : " * ") +
                cudaFactor(allocatedOf(c.nest, buffer, d, names));
  std::string body =
      "  const " + offset + " " + k + " = (" + offset + ")blockIdx.x * " +
      std::to_string(PackThreads) + " + threadIdx.x;\n  if (" + k +
      " >= " + (elements.empty() ? "1" : elements) + ")\n    return;\n";
  body += printPlaces(k);
  body += printElement(k);
  return "// Copies '" + of.name + "' to a buffer in which '" +
         c.name("_kernel") + "' finds it.\n" + c.kernelTemplateHead() +
         "__global__ void __launch_bounds__(" + std::to_string(PackThreads) +
         ")\n" + c.name("_pack_") + buffer.name + "(const " + of.elementType +
         " *__restrict__ " + of.name + ", " + buffer.elementType +
         " *__restrict__ " + buffer.name + sizeParameters(c, around) + ") {\n" +
         definedSizes(c, names, body) + body + "}\n\n";
}

std::string printPackKernels(const Context &c, const Names &names) {
  std::string text;
  for (Buffer::Memory memory : {Buffer::Global, Buffer::Constant})
    for (size_t level = 0; level != c.mapping.host.size(); ++level)
      for (const Copy *copy : c.mapping.host[level].copies) {
        if (c.nest.arrays[copy->buffer].buffer->memory != memory ||
            (memory == Buffer::Constant && isDirect(c.nest, *copy)))
          continue;
        text +=
            PackKernel(c, names, *copy, loopsAround(c.mapping, level)).print();
      }
  return text;
}

} // namespace convopt::emit
