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
#include "convopt/Nest/Text.h"
#include "convopt/Print/Cuda.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace convopt {

using namespace emit;
using program::Expr;

/// As comments: `outputs: O * OH * OW elements, written`, of each array, and
/// what the names of sizes mean that are no parameters.
static std::string describeArrays(const Nest &nest) {
  std::string text;
  std::set<unsigned> named;
  auto describe = [&](ArrayRef<IndexExpr> bounds) {
    for (const IndexExpr &e : bounds)
      for (const auto &[monomial, coefficient] : e.terms())
        for (const Atom &a : monomial)
          if (a.isVar() && a.asVar().kind == Var::Param)
            named.insert(a.asVar().id);
    return forComment(leastText(nest, bounds));
  };
  for (const Argument &a : nest.function.arguments) {
    if (a.role != Argument::ArrayArg)
      continue;
    const Array &array = nest.arrays[a.index];
    IndexExpr all(1);
    for (const IndexExpr &e : array.extents)
      all = all * e;
    text += "//   " + forComment(a.name) + ": " +
            describe(array.footprint.empty() ? ArrayRef(all)
                                             : ArrayRef(array.footprint)) +
            " elements, " +
            (array.role == Array::Input    ? "read"
             : array.role == Array::Output ? "written"
                                           : "read and written") +
            "\n";
  }
  for (unsigned id : named)
    if (const auto &value = nest.params[id].definition)
      text += "//   where " + forComment(nest.params[id].name) + " = " +
              forComment(str(nest, *value)) + "\n";
  return text;
}

/// As comments: each thing that \p f needs, and what it returns without.
static std::string describeRefusals(const Context &c,
                                    const FunctionDefinition &f) {
  std::vector<std::string> all;
  walkExprs(f.body, [&](const Expr &e) {
    if (e.kind() != Expr::Call || e.function().name != c.helper("_refuse"))
      return;
    const std::string needs = cudaText(e.operand(1));
    const std::string line = "//   " + forComment(StringRef(needs).trim('"')) +
                             " (" + cudaText(e.operand(0)) + ")\n";
    if (!is_contained(all, line))
      all.push_back(line);
  });
  return all.empty() ? ""
                     : "// It needs, and else launches nothing and returns the "
                       "error:\n" +
                           join(all, "");
}

static std::string describeLauncher(const Context &c,
                                    const FunctionDefinition &f) {
  return "// Launches the tiled kernel of '" + c.nest.function.name +
         "' on the stream, without waiting for it.\n"
         "// Pointers are of the device:\n" +
         describeArrays(c.source) + describeRefusals(c, f);
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
                                        const EmitOptions &options) {
  Expected<std::unique_ptr<Lowered>> lowered =
      lower(nest, gpu, options, ConstantBytes);
  if (!lowered)
    return lowered.takeError();
  const Lowered &l = **lowered;
  const FunctionDefinition launcher = lowerLauncher(l.context, l.names).back();
  return Declarations{describeLauncher(l.context, launcher) +
                          cudaDeclaration(launcher),
                      describeReplacement(l.context) + declareReplacement(l)};
}

} // namespace convopt
