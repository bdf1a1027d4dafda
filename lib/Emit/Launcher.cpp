//===- Launcher.cpp - Checks, grid and launch -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "SharedMemory.h"
#include "Text.h"
#include "Vectors.h"
#include "convopt/Print/Cuda.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt::emit {

using program::Expr;
using program::Type;

/// The versions in turn: the first that says that it launched its kernel.
static std::string printVersions(const Context &c, Names &names,
                                 const std::string &stream) {
  if (c.versions.empty())
    return "";
  std::string taken = names.fresh("taken"), error = names.fresh("error");
  std::vector<std::string> arguments;
  for (const Argument &a : c.nest.function.arguments)
    arguments.push_back(a.name);
  arguments.push_back(stream);
  arguments.push_back(taken);
  std::string text = "  bool " + taken + " = false;\n";
  for (size_t k = 0; k != c.versions.size(); ++k)
    text += (k == 0 ? "  cudaError_t " : "  ") + error + " = " + c.versions[k] +
            c.templateArguments() + "(" + llvm::join(arguments, ", ") +
            ");\n  if (" + taken + ")\n    return " + error + ";\n";
  return text;
}

/// The blocks along dimension \p d of one launch or, with \p across, of the
/// largest.
static std::string gridText(const Context &c, const Names &names, unsigned d,
                            bool across) {
  std::string text;
  for (const Loop *l : c.mapping.grid[d]) {
    std::string extent = extentText(across ? acrossLaunches(*l) : *l, names);
    if (c.mapping.grid[d].size() > 1)
      extent = (text.empty() ? "(long long)(" : "(") + extent + ")";
    text += (text.empty() ? "" : " * ") + extent;
  }
  return text.empty() ? "1" : text;
}

static std::string smallArrays(ArrayRef<ArrayArgument> buffers,
                               ArrayRef<HostBuffer> filled) {
  std::vector<std::string> tests;
  for (const ArrayArgument &b : buffers)
    if (!isSmall(*b.array))
      tests.push_back(b.elements + " <= INT_MAX");
  for (const HostBuffer &b : filled)
    if (!isSmall(*b.array))
      tests.push_back(b.elements + " <= INT_MAX");
  return llvm::join(tests, " && ");
}

static bool gridVaries(const Context &c, unsigned d) {
  return any_of(c.mapping.grid[d],
                [](const Loop *l) { return variesByLaunch(*l); });
}

bool gridVaries(const Context &c) {
  return gridVaries(c, 0) || gridVaries(c, 1) || gridVaries(c, 2);
}

std::string printGrid(const Context &c, const Names &names,
                      const std::string &grid) {
  std::vector<std::string> sizes;
  for (unsigned d = 0; d != 3; ++d) {
    auto constant = constantGrid(c.nest, c.mapping, d);
    std::string blocks = gridText(c, names, d, /*across=*/false);
    if (constant && !gridVaries(c, d))
      blocks = std::to_string(*constant);
    else if (c.mapping.grid[d].size() > 1)
      blocks = "(unsigned)(" + blocks + ")";
    sizes.push_back(blocks);
  }
  return "    const dim3 " + grid + "(" + llvm::join(sizes, ", ") + ");\n";
}

/// `grid_x` and the like with their limits, and `grid` and `block`.
static std::string printDimensions(const Context &c, Names &names,
                                   const std::string &grid,
                                   const std::string &block) {
  std::string text;
  std::vector<std::string> sizes, tooMany, threads;
  for (unsigned d = 0; d != 3; ++d) {
    threads.push_back(std::to_string(c.mapping.blockDim[d]));
    if (auto constant = constantGrid(c.nest, c.mapping, d)) {
      sizes.push_back(std::to_string(*constant));
      continue;
    }
    bool limited = d != 0 || c.mapping.grid[d].size() > 1;
    if (!limited) {
      sizes.push_back(gridText(c, names, d, /*across=*/true));
      continue;
    }
    std::string name = names.fresh(std::string("grid_") + dimensionName(d));
    text += "  const long long " + name + " = " +
            gridText(c, names, d, /*across=*/true) + ";\n";
    sizes.push_back("(unsigned)" + name);
    tooMany.push_back(name + " > " + std::to_string(c.gpu.gridDim[d]));
  }
  if (!tooMany.empty())
    text += "  if (" + llvm::join(tooMany, " || ") +
            ")\n    return cudaErrorInvalidConfiguration;\n";
  if (!gridVaries(c))
    text += "  const dim3 " + grid + "(" + llvm::join(sizes, ", ") + ");\n";
  return text + "  const dim3 " + block + "(" + llvm::join(threads, ", ") +
         ");\n";
}

/// `const auto kernel = ...;`, the instance for these sizes and pointers.
static std::string printKernelChoice(const Context &c, const Names &names,
                                     ArrayRef<ArrayArgument> buffers,
                                     ArrayRef<HostBuffer> filled,
                                     const std::string &kernel,
                                     const std::string &aligned) {
  auto instance = [&](bool isSmall, bool isAligned) {
    return c.name("_kernel") + instanceArguments(c.nest, {isSmall, isAligned},
                                                 c.nest.function.templateArgs);
  };
  std::string text;
  if (!c.aligned.empty())
    text = printTensorMaps(c.tensorMaps) + "  const bool " + aligned + " = " +
           alignmentText(alignedArrays(c.nest), names) +
           encodingText(c, names) + ";\n";
  auto choice = [&](bool isSmall) {
    return c.aligned.empty() ? instance(isSmall, false)
                             : "(" + aligned + " ? " + instance(isSmall, true) +
                                   " : " + instance(isSmall, false) + ")";
  };
  text += "  const auto " + kernel + " = ";
  if (c.offsetType.empty())
    return text + StringRef(choice(true)).ltrim('(').rtrim(')').str() + ";\n";
  return text + smallArrays(buffers, filled) +
         " // offsets fit an int\n    ? " + choice(true) + " : " +
         choice(false) + ";\n";
}

/// The dynamic shared memory of a block; asks for it where it is more than a
/// block has without asking.
static std::string printSharedBytes(const Context &c, const Names &names,
                                    const std::string &bytes,
                                    const std::string &kernel,
                                    const std::string &error) {
  // The error of a version that is passed over is not to be found later.
  std::string refused = "return " + error + ";\n";
  if (c.isVersion())
    refused =
        "{\n      (void)cudaGetLastError();\n      " + refused + "    }\n";
  SharedMemory shared = findSharedMemory(c.nest);
  Names wide = names;
  for (unsigned k = 0; k != c.nest.params.size(); ++k)
    wide.bind(paramVar(k),
              Expr::cast({Type::Wide, "int64_t"}, names(paramVar(k))));
  return "  const size_t " + bytes + " = " +
         cudaText(bytesOf(c.nest, shared, wide, shared.buffers.size())) +
         ";\n"
         "  if (" +
         bytes + " > " + std::to_string(c.gpu.sharedPerBlockOptIn) +
         ") // what a block of " + c.gpu.name +
         " can have\n"
         "    return cudaErrorInvalidConfiguration;\n"
         "  if (" +
         bytes +
         " > 48 * 1024) {\n"
         "    const cudaError_t " +
         error + " = cudaFuncSetAttribute(" + kernel +
         ", cudaFuncAttributeMaxDynamicSharedMemorySize, (int)" + bytes +
         ");\n"
         "    if (" +
         error + " != cudaSuccess)\n      " + refused + "  }\n";
}

/// What is checked, and the sizes that the launches need.
static std::string printChecks(const Context &c, Names &names,
                               ArrayRef<ArrayArgument> arrays,
                               ArrayRef<HostBuffer> filled) {
  std::string text = printAssumptions(c, names, /*aboutUnsigned=*/true);
  std::string empty = emptyDomain(c, names);
  if (!empty.empty())
    text +=
        "  if (" + empty + ") // nothing to compute\n    return cudaSuccess;\n";
  text += printAssumptions(c, names, /*aboutUnsigned=*/false) +
          printElementCounts(c, arrays, names) +
          printElementCounts(c, filled, names);
  std::string overlap = overlapTests(c, arrays);
  if (!overlap.empty())
    text += "  if (" + overlap +
            ") // arrays must be distinct\n    return cudaErrorInvalidValue;\n";
  return text + printConstantLimits(c, filled);
}

/// `, float *host_y`
static std::string hostParameters(ArrayRef<HostSlice> slices) {
  std::string text;
  for (const HostSlice &s : slices)
    text += std::string(", ") + (s.isOutput() ? "" : "const ") +
            s.array->elementType + " *" + s.host;
  return text;
}

/// `conv_tiled_launch`, where `conv_tiled_run` does the work.
static std::string printDeviceLauncher(const Context &c,
                                       const std::string &parameters,
                                       const std::string &stream,
                                       size_t hostArrays) {
  std::string arguments = argumentNames(c);
  arguments += (arguments.empty() ? "" : ", ") + stream;
  for (size_t k = 0; k != hostArrays; ++k)
    arguments += ", nullptr";
  return "\n" + c.templateHead() + (c.options.isC ? "extern \"C\" " : "") +
         "cudaError_t " + c.name("_launch") + "(" + parameters +
         (c.options.isC ? "" : " = nullptr") + ") {\n  return " +
         c.name("_run") + c.templateArguments() + "(" + arguments + ");\n}\n";
}

std::string printLauncher(const Context &c, Names names) {
  std::string parameters = deviceParameters(c, /*kernel=*/false);
  LaunchNames own;
  own.stream = names.fresh("stream");
  parameters +=
      (parameters.empty() ? "" : ", ") + ("cudaStream_t " + own.stream);
  std::string taken = c.isVersion() ? names.fresh("taken") : "";
  std::string facts = printNarrowing(c) + printFacts(c, names) +
                      printVersions(c, names, own.stream);
  own.grid = names.fresh("grid");
  own.block = names.fresh("block");
  std::vector<ArrayArgument> arrays = buffers(c, names);
  std::vector<HostBuffer> filled = hostBuffers(c, names);
  std::vector<HostSlice> slices = overlappedSlices(c, names);
  std::string body = printChecks(c, names, arrays, filled) +
                     printDimensions(c, names, own.grid, own.block);
  own.kernel = names.fresh("kernel");
  own.bytes = "0";
  body += printKernelChoice(c, names, arrays, filled, own.kernel,
                            names.fresh("aligned"));
  if (findSharedMemory(c.nest).isDynamic) {
    own.bytes = names.fresh("shared");
    body +=
        printSharedBytes(c, names, own.bytes, own.kernel, names.fresh("error"));
  }
  if (c.isVersion())
    body += "  " + taken + " = true;\n";
  if (!filled.empty() || !c.hostLoops.empty())
    own.error = names.fresh("error");
  body += printLaunches(c, names, arrays, filled, slices, own);
  body = " {\n" + facts + printRangeChecks(c, names) +
         definedSizes(c, names, body) + body + "}\n";
  if (!slices.empty())
    return c.templateHead() + "static cudaError_t " + c.name("_run") + "(" +
           parameters + hostParameters(slices) + ")" + body +
           printDeviceLauncher(c, parameters, own.stream, slices.size());
  return c.templateHead() +
         (c.isVersion()   ? "static "
          : c.options.isC ? "extern \"C\" "
                          : "") +
         "cudaError_t " + c.name("_launch") + "(" + parameters +
         (c.isVersion()   ? ", bool &" + taken
          : c.options.isC ? ""
                          : " = nullptr") +
         ")" + body;
}

} // namespace convopt::emit
