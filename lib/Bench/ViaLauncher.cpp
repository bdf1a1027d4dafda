//===- ViaLauncher.cpp - Kernels that their launcher runs -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViaLauncher.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::bench {

/// "in_g in global memory, w_c in constant memory": what the launcher fills.
static std::string packedBuffers(const Nest &mapped) {
  std::vector<std::string> buffers;
  for (const Array &a : mapped.arrays)
    if (a.buffer && a.buffer->isOnHost())
      buffers.push_back(a.name + " in " +
                        (a.buffer->memory == convopt::Buffer::Constant
                             ? "constant memory"
                             : "global memory"));
  return join(buffers, ", ");
}

/// "in_s": what a TMA tensor copy fills, by maps that the launcher makes.
static std::string tensorBuffers(const Nest &mapped) {
  std::vector<std::string> buffers;
  for (const Array &a : mapped.arrays)
    if (a.buffer && a.buffer->layout.copyKind == BufferLayout::Tensor)
      buffers.push_back(a.name);
  return join(buffers, ", ");
}

void useLauncher(const Nest &mapped, const KernelLaunch &launch,
                 KernelSpec &spec) {
  const std::string packed = packedBuffers(mapped);
  spec.packs = !packed.empty();
  spec.source.isCapturable = none_of(mapped.arrays, [](const Array &a) {
    return a.buffer && a.buffer->memory == convopt::Buffer::Constant;
  });
  const std::string boxes = tensorBuffers(mapped);
  if (!spec.packs && boxes.empty() && launch.hostLoops.empty())
    return;
  spec.source.compiler = Compiler::Nvcc;
  spec.note = "timed through its launcher";
  if (spec.packs)
    spec.note += ", packing included: " + packed;
  if (!boxes.empty())
    spec.note += ", tensor maps included: " + boxes;
  if (!launch.hostLoops.empty())
    spec.note += ", all launches included: " + join(launch.hostLoops, ", ");
}

} // namespace convopt::bench
