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

std::string Context::templateHead() const {
  const std::string &head = nest.function.templateHead;
  return head.empty() ? "" : head + "\n";
}

/// `const float *@` with the name in its place.
static std::string declare(StringRef type, StringRef name) {
  auto [before, after] = type.split('@');
  return (before + name + after).str();
}

static bool isLinear(const IndexExpr &e) {
  return llvm::all_of(e.terms(),
                      [](const auto &term) { return term.first.size() <= 1; });
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

static bool isWide(const Param &p) {
  StringRef t = p.type;
  return t.contains("long") || t.contains("size_t") || t.contains("64") ||
         t.contains("ptrdiff") || t.contains("unsigned") ||
         t.contains("uint32");
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

/// Sizes that do not fit the kernel's int, or with which an index of the last
/// tile would not.
static std::string printRangeChecks(const Context &c, const Names &names) {
  std::vector<std::string> tests;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ParamArg && isWide(c.nest.params[a.index]))
      tests.push_back("(unsigned long long)" + a.name + " > 2147483647ull");
  std::string text;
  if (!tests.empty())
    text += "  if (" + llvm::join(tests, " || ") +
            ") // sizes are int in the kernel\n"
            "    return cudaErrorInvalidValue;\n";
  return text;
}

static std::string printAssumptions(const Context &c, const Names &names) {
  std::string text;
  for (const Assumption &a : c.nest.assumptions)
    text += "  if (" + names.compare(a.fact, /*negated=*/true) + ") // " +
            a.why + "\n    return cudaErrorInvalidValue;\n";
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

static std::optional<int64_t> constantGrid(const Context &c, unsigned d) {
  int64_t product = 1;
  for (const Loop *l : c.mapping.grid[d]) {
    auto upper = constantUpper(*l);
    auto lower = l->lower[0].expr.asConstant();
    if (!upper || !lower || l->upper.size() != 1)
      return std::nullopt;
    product *= std::max<int64_t>(0, *upper - *lower);
  }
  return product;
}

std::string printLauncher(const Context &c, Names names) {
  std::string text;
  raw_string_ostream out(text);
  std::string parameters = deviceParameters(c, /*kernel=*/false);
  std::string stream = names.fresh("stream");
  out << c.templateHead() << "cudaError_t " << c.name("_launch") << "("
      << parameters << (parameters.empty() ? "" : ", ") << "cudaStream_t "
      << stream << (c.options.isC ? "" : " = nullptr") << ") {\n";
  out << printRangeChecks(c, names) << definedSizes(c, names, "  ")
      << printAssumptions(c, names);
  std::string empty = emptyDomain(c, names);
  if (!empty.empty())
    out << "  if (" << empty << ") // nothing to compute\n"
        << "    return cudaSuccess;\n";
  std::vector<std::string> sizes, tooMany;
  for (unsigned d = 0; d != 3; ++d) {
    auto constant = constantGrid(c, d);
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
                                isWide(c.nest.params[a.index])
                            ? "(int)" + a.name
                            : a.name);
  out << "  " << c.name("_kernel") << c.templateArguments() << "<<<" << grid
      << ", " << block << ", 0, " << stream << ">>>("
      << llvm::join(arguments, ", ") << ");\n  return cudaGetLastError();\n}\n";
  return out.str();
}

//===----------------------------------------------------------------------===//
// Drop-in replacement on host pointers
//===----------------------------------------------------------------------===//

static std::string elementsText(const Array &a, const Names &names) {
  std::string text = "1";
  if (!a.extents.empty()) {
    text.clear();
    for (const IndexExpr &e : a.extents)
      text += (text.empty() ? "" : ", ") + std::string("(long long)") +
              names.operand(e);
  }
  return "{" + text + "}";
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
  std::string elements = c.name("_bytes");
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
      out << "  const size_t " << bytes.back() << " = sizeof("
          << array.elementType << ") * " << c.name("_elements") << "("
          << elementsText(array, names) << ");\n";
    }
  for (size_t k = 0; k != arrays.size(); ++k)
    out << "  " << c.nest.arrays[arrays[k]->index].elementType << " *"
        << device[k] << " = nullptr;\n";
  std::string error = names.fresh("error");
  out << "  cudaError_t " << error << " = cudaSuccess;\n";
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
  out << "  // The naive launch must have meant the whole output.\n"
      << "  const bool covers = ";
  std::vector<std::string> tests;
  for (unsigned d = 0; d != 3; ++d) {
    std::string g = grid + "." + dimensionName(d);
    std::string b = block + "." + dimensionName(d);
    bool anyBlock = llvm::any_of(f.threadMaps, [&](const ThreadMap &m) {
      return StringRef(m.text).contains(std::string("blockDim.") +
                                        dimensionName(d));
    });
    if (anyBlock && f.gridText[d].empty()) {
      tests.push_back("(long long)" + g + " * " + b +
                      " >= " + names.expr(f.grid[d].expr));
      continue;
    }
    std::string need = f.gridText[d].empty()
                           ? ceilText(f.grid[d], names, /*nonNegative=*/true)
                           : f.gridText[d];
    if (need != "1" && need != "0")
      tests.push_back("(long long)" + g + " >= " + need);
    if (f.block[d] != 1)
      tests.push_back(b + " >= " + std::to_string(f.block[d]));
  }
  out << (tests.empty() ? "true" : llvm::join(tests, " &&\n      ")) << ";\n";
  std::string arguments = argumentNames(c);
  out << "  if (!covers || " << c.name("_launch") << c.templateArguments()
      << "(" << arguments << (arguments.empty() ? "" : ", ") << stream
      << ") != cudaSuccess)\n    " << f.name << c.templateArguments() << "<<<"
      << grid << ", " << block << ", " << shared << ", " << stream << ">>>("
      << arguments << ");\n}\n";
  return out.str();
}

} // namespace convopt::emit
