//===- Launcher.cpp - Checks, grid and launch -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"
#include "SharedMemory.h"
#include "Text.h"
#include "Vectors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt::emit {

/// Sizes that do not fit the kernel's int.
static std::string printNarrowing(const Context &c) {
  std::vector<std::string> tests;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ParamArg && !fitsInt(c.nest.params[a.index]))
      tests.push_back("(long long)" + a.name + " != (int)" + a.name);
  if (tests.empty())
    return "";
  return "  if (" + llvm::join(tests, " || ") +
         ") // sizes are int in the kernel\n"
         "    return cudaErrorInvalidValue;\n";
}

/// How far past its loop's end an index of the last tile can come: the tile
/// is what one step of the loop stands for.
static int64_t largestStep(const Nest &nest, const Loop &loop) {
  int64_t step = 1;
  for (const StatementPath &p : statements(nest))
    for (const IndexExpr &e : p.statement->instance)
      step = std::max(step, e.coefficient(loopVar(loop.id)));
  return step;
}

/// The terms of \p e with positive coefficients: how large both sides of a
/// comparison can come.
static IndexExpr positivePart(const IndexExpr &e) {
  IndexExpr sum;
  for (const auto &[monomial, coefficient] : e.terms()) {
    if (coefficient < 0)
      continue;
    IndexExpr term(coefficient);
    for (const Atom &a : monomial)
      term = term * (a.isVar() ? IndexExpr::of(a.asVar())
                               : IndexExpr::floorDiv(a.num(), a.den()));
    sum += term;
  }
  return sum;
}

/// Extents so large that an index of the last tile would pass int.
static std::string printRangeChecks(const Context &c, const Names &names) {
  std::vector<std::string> tests;
  std::vector<const Loop *> tiled;
  for (const auto &grid : c.mapping.grid)
    llvm::append_range(tiled, grid);
  llvm::copy_if(loops(c.nest), std::back_inserter(tiled),
                [](const Loop *l) { return !isParallel(l->kind); });
  for (const Loop *l : tiled)
    for (const Bound &b : l->upper) {
      // In a thread, it is strips that can pass int, and not their parts.
      if (!isGrid(l->kind) && (b.divisor == 1 || b.expr.usesLoops()))
        continue;
      IndexExpr most = positivePart(c.nest.expandDefinitions(b.expr));
      int64_t limit = INT32_MAX - largestStep(c.nest, *l) - most.constantTerm();
      most -= IndexExpr(most.constantTerm());
      if (most.isConstant())
        continue;
      Names wide = names;
      if (!most.asVar())
        for (Var v : most.vars())
          wide.bind(v, "(long long)" + names(v));
      std::string test = wide.expr(most) + " > " + std::to_string(limit);
      if (!llvm::is_contained(tests, test))
        tests.push_back(test);
    }
  if (tests.empty())
    return "";
  return "  if (" + llvm::join(tests, " || ") +
         ") // indices are int\n    return cudaErrorInvalidValue;\n";
}

/// The nest's assumptions: \p aboutUnsigned those that say what the domain is,
/// as an unsigned size wraps where they do not hold, or the others.
static std::string printAssumptions(const Context &c, const Names &names,
                                    bool aboutUnsigned) {
  std::string text;
  for (const Assumption &a : c.nest.assumptions) {
    if (llvm::any_of(c.options.facts, [&](const Assumption &known) {
          return known.fact == a.fact;
        }))
      continue;
    bool isUnsigned = llvm::any_of(a.fact.expr.vars(), [&](Var v) {
      return v.kind == Var::Param && !fitsInt(c.nest.params[v.id]);
    });
    if (isUnsigned != aboutUnsigned)
      continue;
    text += "  if (" + names.compare(a.fact, /*negated=*/true) + ") // " +
            forComment(a.why) + "\n    return cudaErrorInvalidValue;\n";
  }
  return text;
}

/// What the rest of the launcher takes for granted.
static std::string printFacts(const Context &c, const Names &names) {
  if (c.options.facts.empty())
    return "";
  return "  if (" + factTests(c, names) +
         ") // what this kernel was made for\n"
         "    return cudaErrorInvalidValue;\n";
}

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

/// `a <= 0 || b <= 0` over the extents of the parallel loops, which are sizes.
static std::string emptyDomain(const Context &c, const Names &names) {
  std::vector<std::string> tests;
  auto add = [&](const IndexExpr &extent) {
    if (extent.isConstant() || extent.usesLoops())
      return;
    std::string test = names.compare(
        {Constraint::NonNegative, extent - IndexExpr(1)}, /*negated=*/true);
    if (!llvm::is_contained(tests, test))
      tests.push_back(test);
  };
  for (const auto &loops : c.mapping.grid)
    for (const Loop *l : loops)
      for (const Bound &b : l->upper)
        add(b.expr - IndexExpr(b.divisor) * l->lower[0].expr);
  return llvm::join(tests, " || ");
}

static std::string gridText(const Context &c, const Names &names, unsigned d) {
  std::string text;
  for (const Loop *l : c.mapping.grid[d]) {
    std::string extent = extentText(*l, names);
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
      sizes.push_back(gridText(c, names, d));
      continue;
    }
    std::string name = names.fresh(std::string("grid_") + dimensionName(d));
    text += "  const long long " + name + " = " + gridText(c, names, d) + ";\n";
    sizes.push_back("(unsigned)" + name);
    tooMany.push_back(name + " > " + std::to_string(c.gpu.gridDim[d]));
  }
  if (!tooMany.empty())
    text += "  if (" + llvm::join(tooMany, " || ") +
            ")\n    return cudaErrorInvalidConfiguration;\n";
  return text + "  const dim3 " + grid + "(" + llvm::join(sizes, ", ") +
         ");\n  const dim3 " + block + "(" + llvm::join(threads, ", ") + ");\n";
}

static std::string printCall(const Context &c, const std::string &kernel,
                             const std::string &configuration) {
  std::vector<std::string> arguments;
  for (const Argument &a : c.nest.function.arguments)
    arguments.push_back(passedText(c, a));
  for (const Copy *copy : copiesTo(c.nest, c.mapping, Buffer::Global))
    arguments.push_back(c.nest.arrays[copy->buffer].name);
  for (const auto &[loop, name] : c.hostLoops)
    arguments.push_back(name);
  return "  " + kernel + configuration + "(" + llvm::join(arguments, ", ") +
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
    text = "  const bool " + aligned + " = " +
           alignmentText(c.nest, vectorCopies(c.nest), names) + ";\n";
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
    wide.bind(paramVar(k), "(size_t)" + names.operand(IndexExpr::param(k)));
  return "  const size_t " + bytes + " = " +
         bytesText(c.nest, shared, wide, shared.buffers.size()) +
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

/// The memory of each buffer, and what fills it.
static std::string printPacking(const Context &c, Names &names,
                                ArrayRef<ArrayArgument> arrays,
                                ArrayRef<HostBuffer> filled,
                                const std::string &error,
                                const std::string &stream) {
  std::string text = "  cudaError_t " + error + " = cudaSuccess;\n";
  for (const HostBuffer &b : filled) {
    const Array &buffer = *b.array;
    if (buffer.buffer->memory == Buffer::Constant &&
        isWholeArray(c.nest, *b.copy))
      continue;
    const ArrayArgument &of = sourceOf(c, b, arrays);
    std::string goesOn =
        "  if (" + error + " == cudaSuccess && " + b.elements + " != 0)";
    text += "  " + buffer.elementType + " *" + buffer.name + " = nullptr;\n" +
            goesOn + "\n    " + error + " = cudaMallocAsync(&" + buffer.name +
            ", " + b.elements + " * sizeof(" + buffer.elementType + "), " +
            stream + ");\n" + goesOn + " {\n";
    std::string pack = names.fresh("pack"),
                small = packKernel(c, buffer, "int");
    text += "    const auto " + pack + " = ";
    if (c.offsetType.empty())
      text += small;
    else
      text += of.elements + " <= INT_MAX && " + b.elements + " <= INT_MAX - " +
              std::to_string(PackThreads) + "\n      ? " + small +
              "\n      : " + packKernel(c, buffer, "long long");
    std::string threads = std::to_string(PackThreads);
    text += ";\n    " + pack + "<<<(unsigned)((" + b.elements + " + " +
            std::to_string(PackThreads - 1) + ") / " + threads + "), " +
            threads + ", 0, " + stream + ">>>(" + of.argument->name + ", " +
            buffer.name + sizeArguments(c) + ");\n    " + error +
            " = cudaGetLastError();\n  }\n";
  }
  return text;
}

static std::string printFreeing(const Context &c, ArrayRef<HostBuffer> filled,
                                Names &names, const std::string &error,
                                const std::string &stream) {
  std::string text;
  for (const HostBuffer &b : llvm::reverse(filled)) {
    if (b.array->buffer->memory == Buffer::Constant &&
        isWholeArray(c.nest, *b.copy))
      continue;
    std::string freed = names.fresh("freed");
    text += "  if (" + b.array->name +
            " != nullptr) {\n    const cudaError_t " + freed +
            " = cudaFreeAsync(" + b.array->name + ", " + stream + ");\n    " +
            error + " = " + error + " == cudaSuccess ? " + freed + " : " +
            error + ";\n  }\n";
  }
  return text;
}

/// Sizes that pass what the file has of constant memory.
static std::string printConstantLimits(const Context &c,
                                       ArrayRef<HostBuffer> filled) {
  std::string text;
  for (const HostBuffer &b : filled)
    if (b.array->buffer->memory == Buffer::Constant &&
        !constantElements(c.nest, *b.array))
      text += "  if (" + b.elements + " > sizeof(" + constantName(c, *b.array) +
              ") / sizeof(" + b.array->elementType +
              ")) // constant memory is 64 KB\n"
              "    return cudaErrorInvalidConfiguration;\n";
  return text;
}

/// \p call between what fills the constants and what lets the next launch do
/// so; alone where there are none.
static std::string printAmongConstants(const Context &c, Names &names,
                                       ArrayRef<ArrayArgument> arrays,
                                       ArrayRef<HostBuffer> filled,
                                       const std::string &call,
                                       const std::string &error,
                                       const std::string &stream) {
  if (copiesTo(c.nest, c.mapping, Buffer::Constant).empty())
    return call;
  std::string lock = names.fresh("lock"), read = names.fresh("read");
  std::string helper = c.helper("_constants"), done = names.fresh("done");
  return "  const std::lock_guard<std::mutex> " + lock + "(" + helper +
         "_busy);\n  cudaEvent_t " + read + " = nullptr;\n  if (" + error +
         " == cudaSuccess)\n    " + error + " = " + helper + "_read(&" + read +
         ");\n  if (" + error + " == cudaSuccess)\n    " + error +
         " = cudaStreamWaitEvent(" + stream + ", " + read + ", 0);\n" +
         printFillConstants(c, filled, arrays, error, stream) + call +
         "  if (" + read + " != nullptr) {\n    const cudaError_t " + done +
         " = cudaEventRecord(" + read + ", " + stream + ");\n    " + error +
         " = " + error + " == cudaSuccess ? " + done + " : " + error +
         ";\n  }\n";
}

std::string printLauncher(const Context &c, Names names) {
  std::string parameters = deviceParameters(c, /*kernel=*/false);
  std::string stream = names.fresh("stream");
  std::string taken = c.isVersion() ? names.fresh("taken") : "";
  std::string facts = printNarrowing(c) + printFacts(c, names) +
                      printVersions(c, names, stream);
  std::string grid = names.fresh("grid"), block = names.fresh("block");
  std::vector<ArrayArgument> arrays = buffers(c, names);
  std::vector<HostBuffer> filled = hostBuffers(c, names);
  std::string body = printAssumptions(c, names, /*aboutUnsigned=*/true);
  std::string empty = emptyDomain(c, names);
  if (!empty.empty())
    body +=
        "  if (" + empty + ") // nothing to compute\n    return cudaSuccess;\n";
  body += printAssumptions(c, names, /*aboutUnsigned=*/false) +
          printElementCounts(c, arrays, names) +
          printElementCounts(c, filled, names);
  std::string overlap = overlapTests(c, arrays);
  if (!overlap.empty())
    body += "  if (" + overlap +
            ") // arrays must be distinct\n    return cudaErrorInvalidValue;\n";
  body += printConstantLimits(c, filled);
  body += printDimensions(c, names, grid, block);
  std::string kernel = names.fresh("kernel"), bytes = "0";
  body += printKernelChoice(c, names, arrays, filled, kernel,
                            names.fresh("aligned"));
  if (findSharedMemory(c.nest).isDynamic) {
    bytes = names.fresh("shared");
    body += printSharedBytes(c, names, bytes, kernel, names.fresh("error"));
  }
  if (c.isVersion())
    body += "  " + taken + " = true;\n";
  std::string call = printCall(c, kernel,
                               "<<<" + grid + ", " + block + ", " + bytes +
                                   ", " + stream + ">>>");
  if (filled.empty()) {
    body += call + "  return cudaGetLastError();\n";
  } else {
    std::string error = names.fresh("error");
    call = "  if (" + error + " == cudaSuccess) {\n  " + call + "    " + error +
           " = cudaGetLastError();\n  }\n";
    body += printPacking(c, names, arrays, filled, error, stream);
    body += printAmongConstants(c, names, arrays, filled, call, error, stream);
    body += printFreeing(c, filled, names, error, stream) + "  return " +
            error + ";\n";
  }
  return c.templateHead() +
         (c.isVersion()   ? "static "
          : c.options.isC ? "extern \"C\" "
                          : "") +
         "cudaError_t " + c.name("_launch") + "(" + parameters +
         (parameters.empty() ? "" : ", ") + "cudaStream_t " + stream +
         (c.isVersion()   ? ", bool &" + taken
          : c.options.isC ? ""
                          : " = nullptr") +
         ") {\n" + facts + printRangeChecks(c, names) +
         definedSizes(c, names, body) + body + "}\n";
}

} // namespace convopt::emit
