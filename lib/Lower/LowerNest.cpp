//===- LowerNest.cpp - All functions of a nest ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"
#include "HostCopies.h"
#include "LowerKernel.h"
#include "PackKernels.h"
#include "SplitKernels.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Program/Outline.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

using namespace lower;

/// `const float *const w_c = (const float *)conv_tiled_w_c;`
static void addConstantAliases(const Context &c, Block &b) {
  for (const Copy *copy : copiesTo(c.nest, c.mapping, Buffer::Constant)) {
    const Array &a = c.nest.arrays[copy->buffer];
    Type type = pointer("const " + a.elementType);
    define(b, variable(handle(type.name + "const"), a.name),
           Expr::cast(type, known(constantName(c, a))));
  }
}

/// What \p apart, of a kernel of \p parameters, runs.
static FunctionDefinition
outlined(const Context &c, const program::Scope &apart,
         ArrayRef<FunctionDefinition::Parameter> parameters) {
  FunctionDefinition f{
      "// Computes again, by the guards, sums that zeros may have changed. "
      "That\n"
      "// is rare: apart, it takes no registers of the kernel.\n" +
          c.kernelTemplateHead(c.aligned) + "__device__ __noinline__ void\n" +
          apart.function,
      {},
      {}};
  for (const program::VariableRef &v : apart.parameters) {
    const auto *p = find_if(
        parameters, [&](const auto &known) { return known.variable == v; });
    f.parameters.push_back(
        {v, p == parameters.end() ? cudaParameter(*v) : p->text});
  }
  addConstantAliases(c, f.body);
  append_range(f.body, apart.body);
  return f;
}

/// The kernel, after what it calls.
static std::vector<FunctionDefinition> lowerKernel(const Lowered &l) {
  const Context &c = l.context;
  FunctionDefinition kernel = define(
      c,
      c.kernelTemplateHead(c.aligned) + "__global__ void __launch_bounds__(" +
          std::to_string(c.mapping.threads()) +
          (c.nest.minBlocks ? ", " + std::to_string(c.nest.minBlocks) : "") +
          ")\n" + c.name("_kernel"),
      l.kernelParameters);
  addConstantAliases(c, kernel.body);
  append_range(kernel.body, l.kernel.body);
  std::vector<FunctionDefinition> all;
  for (const program::Scope *apart : program::outlinedIn(l.kernel.body))
    all.push_back(outlined(c, *apart, kernel.parameters));
  all.push_back(std::move(kernel));
  return all;
}

static KernelFunctions functionsOf(const Lowered &l, int64_t constantBytes) {
  const Context &c = l.context;
  KernelFunctions k{l.nest,
                    constantArrays(c, constantBytes),
                    lowerPackKernels(c, l.kernelNames),
                    lowerKernel(l),
                    {},
                    lowerLauncher(c, l.names)};
  for (const TensorCopy &t : tensorCopies(l.nest))
    k.tensorRanks.insert(t.box.extents.size());
  return k;
}

static std::vector<FunctionDefinition> replacementOf(const Lowered &l) {
  const Context &c = l.context;
  if (l.nest.function.isKernel)
    return {lowerDispatch(c, l.names)};
  std::vector<FunctionDefinition> all = lowerStores(c, l.kernelNames);
  all.push_back(lowerReplacement(c, l.names));
  return all;
}

Expected<LoweredNest> lowerNest(const CheckedNest &nest, const Gpu &gpu,
                                const LowerOptions &options,
                                const OthersOfFile &others) {
  Expected<std::unique_ptr<Lowered>> lowered =
      lower::lower(nest, gpu, options, others.constantBytes);
  if (!lowered)
    return lowered.takeError();
  Lowered &l = **lowered;
  Context &c = l.context;
  c.versions = others.launchers;
  if (options.leastBlocks && !l.split.empty())
    return refuse("structure",
                  "'" + options.version +
                      "' has a least number of blocks, and sums that blocks "
                      "share",
                  l.nest.function.range, "leave out -least-blocks");
  LoweredNest all{l.nest};
  for (const Lowered *kernel : l.kernels())
    all.kernels.push_back(functionsOf(*kernel, others.constantBytes));
  if (!l.split.empty())
    all.launcher = {lowerSplitLauncher(l)};
  if (!c.isVersion() && options.part.empty() && options.launcher.empty())
    all.replacement = replacementOf(l);
  return all;
}

Expected<LoweredNest> lowerSequence(const CheckedNest &whole,
                                    ArrayRef<SequencePart> parts,
                                    const Gpu &gpu,
                                    const LowerOptions &options) {
  Expected<std::unique_ptr<Lowered>> host =
      lowerHost(whole, parts, gpu, options);
  if (!host)
    return host.takeError();
  const Lowered &l = **host;
  return LoweredNest{
      l.nest, {}, {lowerSequenceLauncher(l, parts)}, replacementOf(l)};
}

Expected<std::vector<LoweredKernel>> lowerKernels(const CheckedNest &nest,
                                                  const Gpu &gpu,
                                                  const LowerOptions &options) {
  Expected<std::unique_ptr<Lowered>> l =
      lower::lower(nest, gpu, options, gpu.constantBytes);
  if (!l)
    return l.takeError();
  std::vector<LoweredKernel> kernels;
  for (Lowered *kernel : (*l)->kernels()) {
    std::vector<program::Kernel> packing;
    for (const FunctionDefinition &f :
         lowerPackKernels(kernel->context, kernel->kernelNames))
      packing.push_back(f.kernel());
    kernels.push_back(
        {kernel->nest, std::move(packing), std::move(kernel->kernel)});
  }
  return kernels;
}

} // namespace convopt
