//===- Declarations.cpp - What other files call ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Emit/Declarations.h"
#include "HostBuffers.h"
#include "LowerKernel.h"
#include "Text.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/Text.h"
#include "convopt/Print/Cuda.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <set>

using namespace llvm;

namespace convopt {

using namespace emit;
using program::Expr;

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

static std::string describeLauncher(const Context &c,
                                    ArrayRef<FunctionDefinition> launchers) {
  const bool areSeveral = launchers.size() > 1;
  const std::string first = describeRefusals(
      launchers.front(),
      "// It needs, and else launches nothing and returns the error:\n");
  return "// Launches the tiled kernel" + std::string(areSeveral ? "s" : "") +
         " of '" + c.nest.function.name +
         "' on the stream, without waiting for " +
         (areSeveral ? "them" : "it") +
         ".\n"
         "// Pointers are of the device:\n" +
         describeArrays(c.source) + describeFacts(c.options.facts) + first +
         describeRefusals(launchers.drop_front(),
                          "// A kernel needs, and else neither it nor those "
                          "after it are launched:\n",
                          first);
}

static std::string describeReplacement(const Context &c) {
  const std::string &name = c.nest.function.name;
  if (c.nest.function.isKernel)
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
static std::string declareReplacement(const Lowered &l) {
  const Function &f = l.nest.function;
  if (!l.options.isC)
    return cudaDeclaration(f.isKernel ? lowerDispatch(l.context, l.names)
                                      : lowerReplacement(l.context, l.names));
  std::vector<std::string> parameters;
  for (const Parameter &p : f.parameters)
    parameters.push_back(declare(p.type, p.name));
  if (parameters.empty())
    parameters = hostParameters(l.nest);
  return l.context.linkage() + ("void " + f.name + l.options.suffix) + "(" +
         join(parameters, ", ") + ");\n";
}

Expected<Declarations> emitDeclarations(const CheckedNest &nest, const Gpu &gpu,
                                        const EmitOptions &options,
                                        ArrayRef<SequencePart> parts) {
  Expected<std::unique_ptr<Lowered>> lowered =
      parts.empty() ? lower(nest, gpu, options, gpu.constantBytes)
                    : lowerHost(nest, parts, gpu, options);
  if (!lowered)
    return lowered.takeError();
  const Lowered &l = **lowered;
  std::vector<FunctionDefinition> launchers{
      parts.empty() ? lowerLauncher(l.context, l.names).back()
                    : lowerSequenceLauncher(l, parts)};
  for (const SequencePart &p : parts) {
    auto part = lower(p.nest, gpu, p.options, gpu.constantBytes);
    if (!part)
      return part.takeError();
    launchers.push_back(lowerLauncher((*part)->context, (*part)->names).back());
  }
  return Declarations{describeLauncher(l.context, launchers) +
                          cudaDeclaration(launchers.front()),
                      describeReplacement(l.context) + declareReplacement(l)};
}

} // namespace convopt
