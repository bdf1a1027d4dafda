//===- PackKernels.cpp - Kernels that fill the launcher's buffers ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackKernels.h"
#include "PackKernel.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

std::string packKernel(const Context &c, const Array &buffer,
                       const std::string &offset) {
  return c.name("_pack_") + buffer.name + c.kernelArguments(offset);
}

/// \p read where the array has it, elsewhere what the buffer has.
Expr PackKernel::filled(const Expr &test, const Expr &read) const {
  const Type type{Type::Element, buffer.elementType};
  const std::string &fill = buffer.buffer->fill;
  return Expr::select(test, read,
                      fill.empty() ? Expr::cast(type, 0)
                                   : Expr::source(fill, type));
}

FunctionDefinition PackKernel::lower() {
  FunctionDefinition f = define(
      c,
      "// Copies '" + of.name + "' to a buffer in which '" + c.name("_kernel") +
          "' finds it.\n" + c.kernelTemplateHead() +
          "__global__ void __launch_bounds__(" + std::to_string(PackThreads) +
          ")\n" + c.name("_pack_") + buffer.name,
      {{from, "const " + of.elementType + " *__restrict__ " + of.name},
       {to, buffer.elementType + " *__restrict__ " + buffer.name}});
  // The launcher passes all sizes as int.
  for (const Expr &size : sizeArguments(c, around, names))
    f.parameters.push_back({size.variable(), "int " + size.variable()->name});
  defineSizes(c.nest, names, f.body);
  if (isTransposed(c.nest, copy))
    lowerTransposition(f.body);
  else
    lowerColumns(f.body);
  f.body = dropUnused(f.body);
  f.threads = PackThreads;
  return f;
}

Expr packBlocks(const Context &c, const HostBuffer &buffer,
                const Names &names) {
  return isTransposed(c.nest, *buffer.copy)
             ? transpositionBlocks(c, *buffer.array, names)
             : columnBlocks(c, buffer, names);
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

} // namespace convopt::lower
