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
#include "convopt/Transforms/Bounds.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::emit {

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

std::string packKernel(const Context &c, const Array &buffer,
                       const std::string &offset) {
  return c.name("_pack_") + buffer.name + c.kernelArguments(offset);
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
  for (const HostBuffer &f : buffers) {
    std::vector<Expr> extents;
    for (unsigned d : storedDims(*f.array))
      extents.push_back(allocatedOf(c.nest, *f.array, d, names));
    define(b, f.elements, elementCount(c, std::move(extents)));
  }
}

//===----------------------------------------------------------------------===//
// The packing kernel
//===----------------------------------------------------------------------===//

namespace {
/// Lowers the kernel of one buffer.
class PackKernel {
public:
  PackKernel(const Context &c, const Names &outer, const Copy &copy,
             std::vector<const Loop *> around)
      : c(c), names(outer), copy(copy), buffer(c.nest.arrays[copy.buffer]),
        of(c.nest.arrays[buffer.buffer->of]), around(std::move(around)),
        from(array(of, true)), to(array(buffer, false)) {}
  FunctionDefinition lower();

private:
  static VariableRef array(const Array &a, bool isConst) {
    Variable v{a.name, {Type::Element, a.elementType}, Memory::Global};
    v.isPointer = true;
    v.isConst = isConst;
    return std::make_shared<Variable>(std::move(v));
  }
  void lowerPlaces(const Expr &k, Block &b);
  Expr value() const;

  const Context &c;
  Names names;
  const Copy &copy;
  const Array &buffer, &of;
  std::vector<const Loop *> around; // of the host
  VariableRef from, to;
  std::vector<IndexExpr> element; // of the array
};
} // namespace

/// The place along each dimension, from the element's number \p k.
void PackKernel::lowerPlaces(const Expr &k, Block &b) {
  Expr rest = k;
  std::vector<unsigned> dims = storedDims(buffer);
  element = copy.base;
  auto add = [&](unsigned d, const Expr &extent, int64_t stride) {
    Var v = names.variable(coordinateName(c.nest, buffer.buffer->of, d), true);
    define(b, names(v),
           Expr::cast(Type::integer(), extent ? rest % extent : rest));
    rest = extent ? rest / extent : rest;
    element[d] +=
        IndexExpr(stride * buffer.buffer->stride(d)) * IndexExpr::of(v);
  };
  int64_t block = buffer.buffer->layout.block;
  if (block != 1)
    add(dims.back(), block, 1);
  for (unsigned d : llvm::reverse(dims))
    if (block == 1 || d != dims.back())
      add(d,
          block == 1 && d == dims.front()
              ? Expr()
              : allocatedOf(c.nest, buffer, d, names),
          1);
  if (block != 1)
    add(dims.back(), Expr(), block);
}

Expr PackKernel::value() const {
  std::vector<Constraint> ends;
  for (size_t d = 0; d != element.size(); ++d) {
    if (!isProvablyNonNegative(c.nest, copy.base[d], around))
      ends.push_back({Constraint::NonNegative, element[d]});
    IndexExpr room = of.extents[d] - copy.base[d] - 1;
    if (buffer.extents[d] != IndexExpr(1))
      room -= IndexExpr(buffer.buffer->stride(d)) *
              (allocatedExtent(c.nest, buffer, d) - 1);
    if (!isProvablyNonNegative(c.nest, room, around))
      ends.push_back({Constraint::NonNegative, of.extents[d] - 1 - element[d]});
  }
  const Type type{Type::Element, buffer.elementType};
  const std::string &fill = buffer.buffer->fill;
  Access source{buffer.buffer->of, element};
  Expr read = Expr::element(from, {offsetOf(c.nest, source, names)});
  Expr test = both(names.condition(ends), footprintTest(c.nest, source, names));
  return test ? Expr::select(test, read,
                             fill.empty() ? Expr::cast(type, 0)
                                          : Expr::source(fill, type))
              : read;
}

FunctionDefinition PackKernel::lower() {
  const std::string offset = c.offsetType.empty() ? "int" : c.offsetType;
  auto asOffset = [&](const Expr &e) { return Expr::cast(wide(offset), e); };
  FunctionDefinition f = define(
      c,
      "// Copies '" + of.name + "' to a buffer in which '" + c.name("_kernel") +
          "' finds it.\n" + c.kernelTemplateHead() +
          "__global__ void __launch_bounds__(" + std::to_string(PackThreads) +
          ")\n" + c.name("_pack_") + buffer.name,
      {{from, "const " + of.elementType + " *__restrict__ " + of.name},
       {to, buffer.elementType + " *__restrict__ " + buffer.name}});
  for (const Expr &size : sizeArguments(c, around, names))
    f.parameters.push_back(parameter(size));
  defineSizes(c.nest, names, f.body);
  std::vector<Expr> extents;
  for (unsigned d : storedDims(buffer))
    extents.push_back(allocatedOf(c.nest, buffer, d, names));
  if (!extents.empty())
    extents[0] = asOffset(extents[0]);
  Expr k = define(f.body, variable(wide(offset), names.fresh("k"), true),
                  asOffset(blockIndex(0)) * PackThreads + threadIndex(0));
  add<Return>(where(f.body, Expr::binary(Op::GreaterEqual, k, product(extents)),
                    /*isBraced=*/false));
  lowerPlaces(k, f.body);
  add<Assignment>(f.body, Expr::element(to, {k}), value());
  f.body = dropUnused(f.body);
  return f;
}

std::vector<FunctionDefinition> lowerPackKernels(const Context &c,
                                                 const Names &names) {
  std::vector<FunctionDefinition> kernels;
  for (Buffer::Memory memory : {Buffer::Global, Buffer::Constant})
    for (size_t level = 0; level != c.mapping.host.size(); ++level)
      for (const Copy *copy : c.mapping.host[level].copies) {
        if (c.nest.arrays[copy->buffer].buffer->memory != memory ||
            (memory == Buffer::Constant && isDirect(c.nest, *copy)))
          continue;
        kernels.push_back(
            PackKernel(c, names, *copy, loopsAround(c.mapping, level)).lower());
      }
  return kernels;
}

} // namespace convopt::emit
