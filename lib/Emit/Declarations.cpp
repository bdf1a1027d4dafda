//===- Declarations.cpp - What other files call ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Emit/Declarations.h"
#include "convopt/Lower/Signature.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/Text.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Source/Comment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <set>

using namespace llvm;

namespace convopt {

using program::Expr;
using program::FunctionDefinition;

/// Adds the sizes that \p e is over to \p ids.
static void addSizes(const IndexExpr &e, std::set<unsigned> &ids) {
  for (Var v : e.vars())
    if (v.kind == Var::Param)
      ids.insert(v.id);
}

/// As comments: what the sizes \p ids mean that are no parameters, and those
/// that this takes.
static std::string describeSizes(const Nest &nest, std::set<unsigned> ids) {
  std::string text;
  for (unsigned id = nest.params.size(); id-- != 0;) // definitions look back
    if (const auto &value = nest.params[id].definition;
        value && ids.count(id)) {
      addSizes(*value, ids);
      text = "//   where " + forComment(nest.params[id].name) + " = " +
             forComment(str(nest, *value)) + "\n" + text;
    }
  return text;
}

/// As comments: `outputs: O * OH * OW elements, written`, of each array.
static std::string describeArrays(const Nest &nest) {
  std::string text;
  std::set<unsigned> sizes;
  for (const Argument &a : nest.function.arguments) {
    if (a.role != Argument::ArrayArg)
      continue;
    const Array &array = nest.arrays[a.index];
    std::vector<IndexExpr> bounds = array.footprint;
    if (bounds.empty())
      bounds = {std::accumulate(array.extents.begin(), array.extents.end(),
                                IndexExpr(1), std::multiplies<>())};
    for (const IndexExpr &e : bounds)
      addSizes(e, sizes);
    text += "//   " + forComment(a.name) + ": " +
            forComment(leastText(nest, bounds)) + " elements, " +
            (array.role == Array::Input    ? "read"
             : array.role == Array::Output ? "written"
                                           : "read and written") +
            "\n";
  }
  return text + describeSizes(nest, sizes);
}

/// As a comment: the facts that the kernel rests on.
static std::string describeFacts(ArrayRef<Assumption> facts) {
  std::vector<std::string> all;
  for (const Assumption &a : facts)
    all.push_back(factText(a).str());
  return all.empty() ? ""
                     : "// It was made for these sizes: " +
                           forComment(join(all, ", ")) + "\n";
}

/// As comments, after \p title: each thing that \p launchers need, and what
/// they return without, but for what is in \p said.
static std::string describeRefusals(ArrayRef<FunctionDefinition> launchers,
                                    const std::string &title,
                                    StringRef said = "") {
  std::vector<std::string> all;
  for (const FunctionDefinition &f : launchers)
    walkExprs(f.body, [&](const Expr &e) {
      if (!isRefusal(e))
        return;
      const std::string needs = cudaText(e.operand(1));
      const std::string line = "//   " +
                               forComment(StringRef(needs).trim('"')) + " (" +
                               cudaText(e.operand(0)) + ")\n";
      if (!is_contained(all, line) && !said.contains(line))
        all.push_back(line);
    });
  return all.empty() ? "" : title + join(all, "");
}

static std::string describeLauncher(const Nest &source,
                                    const LowerOptions &options,
                                    ArrayRef<FunctionDefinition> launchers) {
  const bool areSeveral = launchers.size() > 1;
  const std::string first = describeRefusals(
      launchers.front(),
      "// It needs, and else launches nothing and returns the error:\n");
  return "// Launches the tiled kernel" + std::string(areSeveral ? "s" : "") +
         " of '" + source.function.name +
         "' on the stream, without waiting for " +
         (areSeveral ? "them" : "it") +
         ".\n"
         "// Pointers are of the device:\n" +
         describeArrays(source) + describeFacts(options.facts) + first +
         describeRefusals(launchers.drop_front(),
                          "// A kernel needs, and else neither it nor those "
                          "after it are launched:\n",
                          first);
}

static std::string describeReplacement(const Function &f) {
  const std::string &name = f.name;
  if (f.isKernel)
    return "// What a launch '" + name +
           "<<<grid, block, shared, stream>>>(...)' becomes: the tiled kernel\n"
           "// runs if that launch means the whole output and the launcher "
           "takes it; else\n// '" +
           name + "' runs, and stderr says so once.\n";
  return "// Does what '" + name +
         "' does, with pointers of the host: it copies arrays to the device "
         "and\n"
         "// back. Where the launcher refuses, '" +
         name + "' runs, and stderr says so once.\n";
}

/// Of C, what takes the naive function's parameters, objects too.
static std::string declareReplacement(const LoweredNest &l,
                                      const LowerOptions &options) {
  const Function &f = l.nest.function;
  if (!options.isC)
    return cudaDeclaration(l.replacement.back());
  std::vector<std::string> parameters;
  for (const Parameter &p : f.parameters)
    parameters.push_back(declare(p.type, p.name));
  if (parameters.empty())
    parameters = hostParameters(l.nest);
  return options.linkage() + ("void " + f.name + options.suffix) + "(" +
         join(parameters, ", ") + ");\n";
}

/// Adds what \p l launches by: what calls the others comes first.
static void addLaunchers(const LoweredNest &l,
                         std::vector<FunctionDefinition> &launchers) {
  append_range(launchers, l.launcher);
  for (const KernelFunctions &k : l.kernels)
    launchers.push_back(k.launcher.back());
}

Expected<Declarations> emitDeclarations(const CheckedNest &nest, const Gpu &gpu,
                                        const LowerOptions &options,
                                        ArrayRef<SequencePart> parts) {
  const OthersOfFile none{{}, gpu.constantBytes};
  Expected<LoweredNest> lowered =
      parts.empty() ? lowerNest(nest, gpu, options, none)
                    : lowerSequence(nest, parts, gpu, options);
  if (!lowered)
    return lowered.takeError();
  std::vector<FunctionDefinition> launchers;
  addLaunchers(*lowered, launchers);
  for (const SequencePart &p : parts) {
    Expected<LoweredNest> part = lowerNest(p.nest, gpu, p.options, none);
    if (!part)
      return part.takeError();
    addLaunchers(*part, launchers);
  }
  const Nest &source = nest.source();
  return Declarations{describeLauncher(source, options, launchers) +
                          cudaDeclaration(launchers.front()),
                      describeReplacement(source.function) +
                          declareReplacement(*lowered, options)};
}

} // namespace convopt
