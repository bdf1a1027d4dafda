//===- Dispatch.cpp - What launches of the naive kernel become ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt::emit {

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

/// The naive kernel's own parameters: what its launches pass, and what goes on
/// to it where the tiled kernel cannot stand in.
static std::string naiveParameters(const Context &c) {
  std::vector<std::string> parts;
  for (const Argument &a : c.nest.function.arguments)
    parts.push_back(declare(a.type, a.name));
  return llvm::join(parts, ", ");
}

/// The launcher's arguments: arrays as pointers to their elements.
static std::string launcherArguments(const Context &c) {
  std::vector<std::string> parts;
  for (const Argument &a : c.nest.function.arguments) {
    bool isFlat = StringRef(a.type).find_first_of("[(") == StringRef::npos;
    parts.push_back(a.role == Argument::ArrayArg && !isFlat
                        ? "(" + c.nest.arrays[a.index].elementType + " *)" +
                              a.name
                        : a.name);
  }
  return llvm::join(parts, ", ");
}

std::string printDispatch(const Context &c, Names names) {
  const Function &f = c.nest.function;
  std::string parameters = naiveParameters(c);
  std::string arguments = argumentNames(c);
  std::string grid = names.fresh("grid"), block = names.fresh("block");
  std::string shared = names.fresh("shared"), stream = names.fresh("stream");
  std::string covers = names.fresh("covers");
  std::string body =
      "  // The naive launch must have meant the whole output.\n  const bool " +
      covers + " = " +
      llvm::join(coverageTests(c, names, grid, block), " &&\n      ") + ";\n";
  body += "  if (cudaPeekAtLastError() != cudaSuccess || !" + covers + " || " +
          c.name("_launch") + c.templateArguments() + "(" +
          launcherArguments(c) + (arguments.empty() ? "" : ", ") + stream +
          ") != cudaSuccess)\n    " + f.name + c.templateArguments() + "<<<" +
          grid + ", " + block + ", " + shared + ", " + stream + ">>>(" +
          arguments + ");\n";
  return c.templateHead() + "void " + c.name("_dispatch") + "(dim3 " + grid +
         ", dim3 " + block + ", size_t " + shared + ", cudaStream_t " + stream +
         (parameters.empty() ? "" : ", ") + parameters + ") {\n" +
         definedSizes(c, names, body) + body + "}\n";
}

} // namespace convopt::emit
