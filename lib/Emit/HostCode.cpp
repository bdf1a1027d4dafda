//===- HostCode.cpp - Launcher, replacement and dispatch ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt::emit {

std::string Context::templateArguments() const {
  const auto &args = nest.function.templateArgs;
  return args.empty() ? "" : "<" + llvm::join(args, ", ") + ">";
}

std::string Context::kernelArguments(const std::string &offset) const {
  if (offsetType.empty())
    return templateArguments();
  std::vector<std::string> args{offset};
  llvm::append_range(args, nest.function.templateArgs);
  return "<" + llvm::join(args, ", ") + ">";
}

std::string Context::templateHead() const {
  const std::string &head = nest.function.templateHead;
  return head.empty() ? "" : head + "\n";
}

/// `const float *@` with the name in its place.
static std::string declare(StringRef type, StringRef name) {
  auto [before, after] = type.split('@');
  return (before + name + after).str();
}

std::string definedSizes(const Context &c, const Names &names,
                         const char *indent) {
  std::string text;
  for (const Param &p : c.nest.params)
    if (p.definition) {
      // A product of sizes can pass 2^31 where the sizes do not.
      const char *type = isLinear(c.nest.expandDefinitions(*p.definition))
                             ? "int"
                             : "long long";
      text += std::string(indent) + "[[maybe_unused]] const " + type + " " +
              p.name + " = " + names.expr(*p.definition) + ";\n";
    }
  return text;
}

/// Whether every value of the parameter's type is one of int.
static bool fitsInt(const Param &p) {
  static const char *const narrow[] = {
      "int",           "short",  "signed char", "char",    "bool",
      "unsigned char", "int8_t", "uint8_t",     "int16_t", "int32_t"};
  StringRef type = StringRef(p.type).trim();
  type.consume_front("const ");
  return llvm::is_contained(narrow, type);
}

std::string deviceParameters(const Context &c, bool kernel) {
  std::vector<std::string> parts;
  for (const Argument &a : c.nest.function.arguments) {
    if (a.role == Argument::ArrayArg) {
      const Array &array = c.nest.arrays[a.index];
      parts.push_back((array.role == Array::Input ? "const " : "") +
                      array.elementType + " *" +
                      (kernel ? "__restrict__ " : "") + a.name);
    } else if (a.role == Argument::ParamArg && kernel) {
      parts.push_back("int " + a.name);
    } else {
      parts.push_back(declare(a.type, a.name));
    }
  }
  return llvm::join(parts, ", ");
}

std::string argumentNames(const Context &c) {
  std::vector<std::string> parts;
  for (const Argument &a : c.nest.function.arguments)
    parts.push_back(a.name);
  return llvm::join(parts, ", ");
}

//===----------------------------------------------------------------------===//
// Launcher
//===----------------------------------------------------------------------===//

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
/// is what one step of a grid loop stands for.
static int64_t largestStep(const Nest &nest, const Loop &grid) {
  int64_t step = 1;
  for (const StatementPath &p : statements(nest))
    for (const IndexExpr &e : p.statement->instance)
      step = std::max(step, e.coefficient(loopVar(grid.id)));
  return step;
}

/// Extents so large that an index of the last tile would pass int.
static std::string printRangeChecks(const Context &c, const Names &names) {
  std::vector<std::string> tests;
  for (const auto &loops : c.mapping.grid)
    for (const Loop *l : loops)
      for (const Bound &b : l->upper) {
        if (b.expr.isConstant())
          continue;
        IndexExpr expanded = c.nest.expandDefinitions(b.expr);
        int64_t most = INT32_MAX - largestStep(c.nest, *l);
        Names wide = names;
        for (Var v : expanded.vars())
          wide.bind(v, "(long long)" + names(v));
        std::string test = wide.expr(expanded) + " > " + std::to_string(most);
        if (!llvm::is_contained(tests, test))
          tests.push_back(test);
      }
  if (tests.empty())
    return "";
  return "  if (" + llvm::join(tests, " || ") +
         ") // indices are int\n    return cudaErrorInvalidValue;\n";
}

static std::string printAssumptions(const Context &c, const Names &names) {
  std::string text;
  for (const Assumption &a : c.nest.assumptions)
    text += "  if (" + names.compare(a.fact, /*negated=*/true) + ") // " +
            forComment(a.why) + "\n    return cudaErrorInvalidValue;\n";
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

/// The bytes (or \p elements) of \p a that the nest can touch, as a call.
static std::string bytesText(const Context &c, const Array &a,
                             const Names &names, bool elements = false) {
  std::vector<std::string> extents;
  if (a.footprint)
    extents.push_back("(long long)" + names.operand(*a.footprint));
  else
    for (const IndexExpr &e : a.extents)
      extents.push_back("(long long)" + names.operand(e));
  for (size_t k = 0; k != extents.size(); ++k) {
    const IndexExpr &e = a.footprint ? *a.footprint : a.extents[k];
    if (!isLinear(e))
      extents[k] = names.wide(e);
  }
  std::string unit = elements ? "1" : "sizeof(" + a.elementType + ")";
  return c.name("_bytes") + "(" + unit + ", {" + llvm::join(extents, ", ") +
         "})";
}

static std::string smallArrays(const Context &c, const Names &names) {
  std::vector<std::string> tests;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ArrayArg && !isSmall(c.nest.arrays[a.index]))
      tests.push_back(bytesText(c, c.nest.arrays[a.index], names,
                                /*elements=*/true) +
                      " <= 2147483647");
  return llvm::join(tests, " &&\n      ");
}

/// `if (overlap(...)) return ...`: the source is taken to mean distinct arrays
/// by distinct pointers, and what is written must then be apart from the rest.
static std::string printOverlapTest(const Context &c, const Names &names,
                                    const std::string &result) {
  std::vector<std::string> tests;
  const auto &arguments = c.nest.function.arguments;
  auto isArray = [&](const Argument &a) {
    return a.role == Argument::ArrayArg;
  };
  for (size_t i = 0; i != arguments.size(); ++i)
    for (size_t j = 0; j != arguments.size(); ++j) {
      if (i == j || !isArray(arguments[i]) || !isArray(arguments[j]))
        continue;
      const Array &written = c.nest.arrays[arguments[i].index];
      const Array &other = c.nest.arrays[arguments[j].index];
      bool otherWritten = other.role != Array::Input;
      if (written.role == Array::Input || (otherWritten && j < i))
        continue;
      tests.push_back(c.name("_overlap") + "(" + arguments[i].name + ", " +
                      bytesText(c, written, names) + ", " + arguments[j].name +
                      ", " + bytesText(c, other, names) + ")");
    }
  if (tests.empty())
    return "";
  return "  if (" + llvm::join(tests, " ||\n      ") +
         ") // the arrays must be distinct\n    return " + result + ";\n";
}

std::string printLauncher(const Context &c, Names names) {
  std::string text;
  raw_string_ostream out(text);
  std::string parameters = deviceParameters(c, /*kernel=*/false);
  std::string stream = names.fresh("stream");
  out << c.templateHead() << (c.options.isC ? "extern \"C\" " : "")
      << "cudaError_t " << c.name("_launch") << "(" << parameters
      << (parameters.empty() ? "" : ", ") << "cudaStream_t " << stream
      << (c.options.isC ? "" : " = nullptr") << ") {\n";
  out << printNarrowing(c) << printRangeChecks(c, names)
      << definedSizes(c, names, "  ");
  std::string empty = emptyDomain(c, names);
  if (!empty.empty())
    out << "  if (" << empty << ") // nothing to compute\n"
        << "    return cudaSuccess;\n";
  out << printAssumptions(c, names)
      << printOverlapTest(c, names, "cudaErrorInvalidValue");
  std::vector<std::string> sizes, tooMany;
  for (unsigned d = 0; d != 3; ++d) {
    auto constant = constantGrid(c.mapping, d);
    if (constant) {
      sizes.push_back(std::to_string(*constant));
      continue;
    }
    std::string name = names.fresh(std::string("grid_") + dimensionName(d));
    out << "  const long long " << name << " = " << gridText(c, names, d)
        << ";\n";
    sizes.push_back("(unsigned)" + name);
    if (d != 0 || c.mapping.grid[d].size() > 1)
      tooMany.push_back(name + " > " + std::to_string(c.gpu.gridDim[d]));
  }
  if (!tooMany.empty())
    out << "  if (" << llvm::join(tooMany, " || ") << ")\n"
        << "    return cudaErrorInvalidConfiguration;\n";
  std::string grid = names.fresh("grid"), block = names.fresh("block");
  out << "  const dim3 " << grid << "(" << llvm::join(sizes, ", ") << ");\n";
  out << "  const dim3 " << block << "(" << c.mapping.blockDim[0] << ", "
      << c.mapping.blockDim[1] << ", " << c.mapping.blockDim[2] << ");\n";
  std::vector<std::string> arguments;
  for (const Argument &a : c.nest.function.arguments)
    arguments.push_back(a.role == Argument::ParamArg &&
                                !fitsInt(c.nest.params[a.index])
                            ? "(int)" + a.name
                            : a.name);
  std::string call = "<<<" + grid + ", " + block + ", 0, " + stream + ">>>(" +
                     llvm::join(arguments, ", ") + ");\n";
  std::string kernel = c.name("_kernel");
  if (c.offsetType.empty()) {
    out << "  " << kernel << c.templateArguments() << call;
  } else {
    out << "  if (" << smallArrays(c, names) << ") // offsets fit an int\n    "
        << kernel << c.kernelArguments("int") << call << "  else\n    "
        << kernel << c.kernelArguments("long long") << call;
  }
  out << "  return cudaGetLastError();\n}\n";
  return out.str();
}

//===----------------------------------------------------------------------===//
// Drop-in replacement on host pointers
//===----------------------------------------------------------------------===//

/// Copies would hide an overlap of the host's arrays, so it is tested first.
static std::string printHostOverlap(const Context &c,
                                    ArrayRef<const Argument *> arrays,
                                    ArrayRef<std::string> bytes,
                                    const std::string &error) {
  std::vector<std::string> tests;
  for (size_t i = 0; i != arrays.size(); ++i)
    for (size_t j = i + 1; j != arrays.size(); ++j)
      if (c.nest.arrays[arrays[i]->index].role != Array::Input ||
          c.nest.arrays[arrays[j]->index].role != Array::Input)
        tests.push_back(c.name("_overlap") + "(" + arrays[i]->name + ", " +
                        bytes[i] + ", " + arrays[j]->name + ", " + bytes[j] +
                        ")");
  if (tests.empty())
    return "";
  return "  if (" + llvm::join(tests, " || ") + ")\n    " + error +
         " = cudaErrorInvalidValue;\n";
}

std::string printReplacement(const Context &c, Names names) {
  std::string text;
  raw_string_ostream out(text);
  std::vector<std::string> parameters;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ArrayArg && c.options.isC) {
      const Array &array = c.nest.arrays[a.index];
      parameters.push_back((array.role == Array::Input ? "const " : "") +
                           array.elementType + " *" + a.name);
    } else {
      parameters.push_back(declare(a.type, a.name));
    }
  out << c.templateHead() << (c.options.isC ? "extern \"C\" " : "") << "void "
      << c.name() << "(" << llvm::join(parameters, ", ") << ") {\n"
      << definedSizes(c, names, "  ");
  std::vector<std::string> device, bytes;
  std::vector<const Argument *> arrays;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ArrayArg) {
      const Array &array = c.nest.arrays[a.index];
      arrays.push_back(&a);
      device.push_back(names.fresh("device_" + a.name));
      bytes.push_back(names.fresh(a.name + "_bytes"));
      out << "  const size_t " << bytes.back() << " = "
          << bytesText(c, array, names) << ";\n";
    }
  for (size_t k = 0; k != arrays.size(); ++k)
    out << "  " << c.nest.arrays[arrays[k]->index].elementType << " *"
        << device[k] << " = nullptr;\n";
  std::string error = names.fresh("error");
  out << "  cudaError_t " << error << " = cudaSuccess;\n";
  out << printHostOverlap(c, arrays, bytes, error);
  auto step = [&](const std::string &call) {
    out << "  if (" << error << " == cudaSuccess)\n    " << error << " = "
        << call << ";\n";
  };
  for (size_t k = 0; k != arrays.size(); ++k)
    step("cudaMalloc(&" + device[k] + ", " + bytes[k] + ")");
  // Outputs travel too: the nest need not write every element.
  for (size_t k = 0; k != arrays.size(); ++k)
    step("cudaMemcpy(" + device[k] + ", " + arrays[k]->name + ", " + bytes[k] +
         ", cudaMemcpyHostToDevice)");
  std::vector<std::string> arguments;
  size_t next = 0;
  for (const Argument &a : c.nest.function.arguments)
    arguments.push_back(a.role == Argument::ArrayArg ? device[next++] : a.name);
  arguments.push_back("nullptr");
  step(c.name("_launch") + c.templateArguments() + "(" +
       llvm::join(arguments, ", ") + ")");
  for (size_t k = 0; k != arrays.size(); ++k)
    if (c.nest.arrays[arrays[k]->index].role != Array::Input)
      step("cudaMemcpy(" + arrays[k]->name + ", " + device[k] + ", " +
           bytes[k] + ", cudaMemcpyDeviceToHost)");
  for (const std::string &d : device)
    out << "  cudaFree(" << d << ");\n";
  out << "  if (" << error << " != cudaSuccess) {\n"
      << "    std::fprintf(stderr, \"" << c.name() << ": %s"
      << (c.options.isC ? "" : "; running the original") << "\\n\", "
      << "cudaGetErrorString(" << error << "));\n    "
      << (c.options.isC ? "std::exit(EXIT_FAILURE)"
                        : c.nest.function.name + c.templateArguments() + "(" +
                              argumentNames(c) + ")")
      << ";\n  }\n}\n";
  return out.str();
}

//===----------------------------------------------------------------------===//
// Dispatch of kernel launches
//===----------------------------------------------------------------------===//

/// The dimension that \p text names after \p word ("blockDim."), or none.
static std::optional<unsigned> dimensionAfter(StringRef text, StringRef word) {
  size_t at = text.find(word);
  if (at == StringRef::npos || at + word.size() >= text.size())
    return std::nullopt;
  char d = text[at + word.size()];
  return d >= 'x' && d <= 'z' ? std::optional<unsigned>(d - 'x') : std::nullopt;
}

/// What must hold of `grid` and `block` for the naive launch to compute
/// exactly the nest's domain.
static std::vector<std::string> coverageTests(const Context &c,
                                              const Names &names,
                                              const std::string &grid,
                                              const std::string &block) {
  const Function &f = c.nest.function;
  std::vector<std::string> tests;
  std::array<bool, 3> byBlockDim{};
  auto dim = [](const std::string &of, unsigned d) {
    return of + "." + dimensionName(d);
  };
  for (const ThreadMap &m : f.threadMaps) {
    auto g = dimensionAfter(m.text, "blockIdx.");
    auto stride = dimensionAfter(m.text, "blockDim.");
    auto thread = dimensionAfter(m.text, "threadIdx.");
    if (!g || !stride || !thread || !f.gridText[*g].empty())
      continue;
    byBlockDim[*g] = true;
    tests.push_back("(long long)" + dim(grid, *g) + " * " +
                    dim(block, *stride) + " >= " + names.wide(f.grid[*g].expr));
    if (*stride != *thread) // rows stepped by one dimension, filled by another
      tests.push_back(dim(block, *thread) + " >= " + dim(block, *stride));
  }
  for (unsigned d = 0; d != 3; ++d) {
    std::string need = f.gridText[d].empty()
                           ? ceilText(f.grid[d], names, /*nonNegative=*/true)
                           : f.gridText[d];
    if (!byBlockDim[d] && need != "1" && need != "0")
      tests.push_back("(long long)" + dim(grid, d) +
                      (f.gridExact[d] ? " == " : " >= ") + need);
    if (!byBlockDim[d] && f.block[d] != 1)
      tests.push_back(dim(block, d) + " >= " + std::to_string(f.block[d]));
  }
  if (tests.empty())
    tests.push_back("true");
  return tests;
}

std::string printDispatch(const Context &c, Names names) {
  const Function &f = c.nest.function;
  std::string text;
  raw_string_ostream out(text);
  std::string parameters = deviceParameters(c, /*kernel=*/false);
  std::string grid = names.fresh("grid"), block = names.fresh("block");
  std::string shared = names.fresh("shared"), stream = names.fresh("stream");
  out << c.templateHead() << "void " << c.name("_dispatch") << "(dim3 " << grid
      << ", dim3 " << block << ", size_t " << shared << ", cudaStream_t "
      << stream << (parameters.empty() ? "" : ", ") << parameters << ") {\n"
      << definedSizes(c, names, "  ");
  std::string covers = names.fresh("covers");
  out << "  // The naive launch must have meant the whole output.\n"
      << "  const bool " << covers << " = "
      << llvm::join(coverageTests(c, names, grid, block), " &&\n      ")
      << ";\n";
  std::string arguments = argumentNames(c);
  out << "  if (cudaPeekAtLastError() != cudaSuccess || !" << covers << " || "
      << c.name("_launch") << c.templateArguments() << "(" << arguments
      << (arguments.empty() ? "" : ", ") << stream << ") != cudaSuccess)\n    "
      << f.name << c.templateArguments() << "<<<" << grid << ", " << block
      << ", " << shared << ", " << stream << ">>>(" << arguments << ");\n}\n";
  return out.str();
}

} // namespace convopt::emit
