//===- EmitCuda.cpp - CUDA text from a mapped nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "KernelBody.h"
#include "convopt/Emit/Emit.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt {

using namespace emit;

static std::string printKernel(const Context &c, const Names &names,
                               const std::string &body) {
  return c.templateHead() + "__global__ void __launch_bounds__(" +
         std::to_string(c.mapping.threads()) + ")\n" + c.name("_kernel") + "(" +
         deviceParameters(c, /*kernel=*/true) + ") {\n" +
         definedSizes(c, names, "  ") + body + "}\n";
}

/// C rounds quotients to zero; subscripts mean the floor.
static std::string printFloorDiv(const std::string &name) {
  return "__host__ __device__ static inline int " + name +
         "(int a, int b) {\n"
         "  return a / b - (a % b != 0 && (a < 0) != (b < 0));\n}\n\n";
}

/// Elements of an array, none where an extent is not positive.
static std::string printElements(const std::string &name) {
  return "static inline size_t " + name +
         "(std::initializer_list<long long> extents) {\n"
         "  size_t elements = 1;\n"
         "  for (long long extent : extents)\n"
         "    elements *= extent > 0 ? extent : 0;\n"
         "  return elements;\n}\n\n";
}

std::string emittedIncludes() {
  return "#include <cuda_runtime.h>\n#include <cstdio>\n#include <cstdlib>\n"
         "#include <initializer_list>\n";
}

Expected<std::string> emitCuda(const Nest &nest, const Gpu &gpu,
                               const EmitOptions &options) {
  Expected<Mapping> mapping = findMapping(nest, gpu);
  if (!mapping)
    return mapping.takeError();
  Context c{nest, *mapping, gpu, options};
  Names names(nest);
  names.setFloorDivName(c.name("_floordiv"));
  std::string body = KernelBody(nest, *mapping, names).print();
  std::string code = printKernel(c, names, body) + "\n" +
                     printLauncher(c, names) + "\n" +
                     (nest.function.isKernel ? printDispatch(c, names)
                                             : printReplacement(c, names));
  if (!nest.function.isKernel)
    code = printElements(c.name("_elements")) + code;
  if (names.usesFloorDiv())
    code = printFloorDiv(c.name("_floordiv")) + code;
  return code;
}

} // namespace convopt
