//===- Replacement.cpp - The naive signature on host pointers -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostSlices.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt::emit {

static std::string hostParameters(const Nest &nest, bool isC) {
  std::vector<std::string> parameters;
  for (const Argument &a : nest.function.arguments)
    if (a.role == Argument::ArrayArg && isC) {
      const Array &array = nest.arrays[a.index];
      parameters.push_back((array.role == Array::Input ? "const " : "") +
                           array.elementType + " *" + a.name);
    } else {
      parameters.push_back(declare(a.type, a.name));
    }
  return llvm::join(parameters, ", ");
}

static std::string original(const Nest &nest, const EmitOptions &options) {
  return nest.function.name +
         (options.isLocal ? options.suffix + "_original" : "");
}

/// CUDA sees nothing of a C source.
static std::string declareOriginal(const Context &c) {
  return c.options.isC ? "extern \"C\" void " + original(c.nest, c.options) +
                             "(" + hostParameters(c.nest, true) + ");\n"
                       : "";
}

/// Says what went wrong and runs the original.
static std::string printFailure(const Context &c, const std::string &error) {
  return "  if (" + error +
         " != cudaSuccess) {\n"
         "    std::fprintf(stderr, \"" +
         c.name() + ": %s; running the original\\n\", cudaGetErrorString(" +
         error + "));\n    " + original(c.nest, c.options) +
         c.templateArguments() + "(" + argumentNames(c) + ");\n  }\n";
}

/// What holds where \p path reads or writes what \p own guards: each of its
/// loops has an iteration that guards of this loop alone let pass.
static std::vector<Constraint> runsWhere(const StatementPath &path,
                                         ArrayRef<Constraint> own) {
  std::vector<Constraint> all, guards;
  for (const Constraint &c : own)
    guards.push_back({c.kind, overCurrentLoops(*path.statement, c.expr)});
  for (const NodeRef &n : path.enclosing)
    if (const auto *g = dyn_cast<Guard>(n.get()))
      append_range(guards, g->conditions);
  for (const NodeRef &n : path.enclosing) {
    const auto *l = dyn_cast<Loop>(n.get());
    if (!l)
      continue;
    std::vector<Bound> lower = l->lower, upper = l->upper;
    for (const Constraint &c : guards) {
      const int64_t sign = c.expr.coefficient(loopVar(l->id));
      const IndexExpr rest =
          c.expr - IndexExpr(sign) * IndexExpr::of(loopVar(l->id));
      if (sign == 1)
        lower.push_back({-rest});
      if (sign == -1)
        upper.push_back({rest + 1});
    }
    for (const Bound &first : lower)
      for (const Bound &end : upper)
        if (Constraint c{Constraint::NonNegative,
                         end.expr - IndexExpr(end.divisor) * first.expr - 1};
            first.divisor == 1 && !is_contained(all, c))
          all.push_back(c);
  }
  erase_if(all, [](const Constraint &c) {
    return c.expr.usesLoops() || c.expr.asConstant().value_or(-1) >= 0;
  });
  return all;
}

/// What holds where anything of \p array is touched, and does not follow from
/// its having elements.
static std::vector<Constraint> touchedWhere(const Nest &nest,
                                            const Array &array) {
  std::optional<std::vector<Constraint>> common;
  auto touch = [&](const Access &a, const StatementPath &p,
                   ArrayRef<Constraint> guard) {
    if (&nest.arrays[a.array] != &array)
      return;
    const std::vector<Constraint> here = runsWhere(p, guard);
    if (!common)
      common = here;
    erase_if(*common,
             [&](const Constraint &c) { return !is_contained(here, c); });
  };
  for (const StatementPath &p : statements(nest)) {
    touch(p.statement->target, p, {});
    for (const Operand &o : p.statement->operands)
      if (o.kind == Operand::Read)
        touch(o.access, p, o.guard);
  }
  if (!common)
    return {};
  ArrayRef<IndexExpr> counts =
      array.footprint.empty() ? array.extents : array.footprint;
  erase_if(*common, [&](const Constraint &c) {
    return any_of(counts, [&](const IndexExpr &e) {
      return nest.expandDefinitions(e - 1) == nest.expandDefinitions(c.expr);
    });
  });
  return *common;
}

namespace {
/// The steps with which arrays come to the device and back.
class HostSteps {
public:
  HostSteps(const Context &c, Names &names)
      : c(c), arrays(buffers(c, names)), error(names.fresh("error")),
        slices(overlappedSlices(c, names)) {
    for (const ArrayArgument &b : arrays)
      device.push_back(names.fresh("device_" + b.argument->name));
    for (const HostSlice &s : slices)
      pinned.push_back(names.fresh("pinned_" + s.argument->name));
    finished = names.fresh("finished");
  }
  std::string print(const Names &names) const;

private:
  std::string step(const std::string &call,
                   const std::string &condition = "") const {
    return "  if (" + error + " == cudaSuccess" +
           (condition.empty() ? "" : " && " + condition) + ")\n    " + error +
           " = " + call + ";\n";
  }
  std::string copy(const std::string &to, const std::string &from, size_t k,
                   const char *kind, const Names &names) const {
    return step("cudaMemcpy(" + to + ", " + from + ", " + bytes(arrays[k]) +
                    ", cudaMemcpy" + kind + ")",
                names.conjunction(touchedWhere(c.nest, *arrays[k].array)));
  }
  std::string bytes(const ArrayArgument &a) const {
    return a.elements + " * sizeof(" + a.array->elementType + ")";
  }
  bool isSliced(const ArrayArgument &a) const {
    return any_of(slices,
                  [&](const HostSlice &s) { return s.array == a.array; });
  }
  std::string printChecks(const Names &names) const;
  std::string printLaunch() const;

  const Context &c;
  std::vector<ArrayArgument> arrays;
  std::string error, finished;
  std::vector<HostSlice> slices;
  std::vector<std::string> device, pinned;
};
} // namespace

std::string HostSteps::printChecks(const Names &names) const {
  std::string text;
  // The sizes of arrays rest on the facts.
  if (!c.options.facts.empty())
    text += "  if (" + factTests(c, names) +
            ") // what the kernel was made for\n    " + error +
            " = cudaErrorInvalidValue;\n";
  // Copies would hide an overlap of the host's arrays, so it is tested first.
  std::string overlap = overlapTests(c, arrays);
  if (!overlap.empty())
    text += "  if (" + overlap + ") // arrays must be distinct\n    " + error +
            " = cudaErrorInvalidValue;\n";
  return text;
}

/// The launcher; with slices, the function behind it copies them.
std::string HostSteps::printLaunch() const {
  std::vector<std::string> arguments;
  size_t next = 0;
  for (const Argument &a : c.nest.function.arguments)
    arguments.push_back(a.role == Argument::ArrayArg ? device[next++] : a.name);
  arguments.push_back("nullptr");
  std::string before, after;
  for (size_t k = 0; k != slices.size(); ++k) {
    const std::string &name = slices[k].argument->name;
    arguments.push_back(slices[k].isOutput()
                            ? "(" + slices[k].array->elementType + " *)" + name
                            : "(const " + slices[k].array->elementType + " *)" +
                                  name);
    const ArrayArgument &a = *find_if(arrays, [&](const ArrayArgument &a) {
      return a.array == slices[k].array;
    });
    before += "  const bool " + pinned[k] + " = " + error +
              " == cudaSuccess && " + c.helper("_pin") + "(" + name + ", " +
              bytes(a) + ");\n";
    after += "  if (" + pinned[k] + ")\n    cudaHostUnregister((void *)" +
             name + ");\n";
  }
  std::string launch =
      step(c.name(slices.empty() ? "_launch" : "_run") + c.templateArguments() +
           "(" + llvm::join(arguments, ", ") + ")");
  if (slices.empty())
    return launch;
  return before + launch + "  const cudaError_t " + finished +
         " = cudaStreamSynchronize(nullptr);\n  " + error + " = " + error +
         " == cudaSuccess ? " + finished + " : " + error + ";\n" + after;
}

std::string HostSteps::print(const Names &names) const {
  std::string body = printElementCounts(c, arrays, names);
  for (size_t k = 0; k != arrays.size(); ++k)
    body += "  " + arrays[k].array->elementType + " *" + device[k] +
            " = nullptr;\n";
  body += "  cudaError_t " + error + " = cudaSuccess;\n" + printChecks(names);
  for (size_t k = 0; k != arrays.size(); ++k)
    body += step("cudaMalloc(&" + device[k] + ", " + bytes(arrays[k]) + ")");
  // Of what is only written every element is.
  for (size_t k = 0; k != arrays.size(); ++k)
    if (arrays[k].array->role != Array::Output && !isSliced(arrays[k]))
      body +=
          copy(device[k], arrays[k].argument->name, k, "HostToDevice", names);
  body += printLaunch();
  for (size_t k = 0; k != arrays.size(); ++k)
    if (arrays[k].array->role != Array::Input && !isSliced(arrays[k]))
      body +=
          copy(arrays[k].argument->name, device[k], k, "DeviceToHost", names);
  for (const std::string &d : device)
    body += "  cudaFree(" + d + ");\n";
  return body + printFailure(c, error);
}

std::string printReplacement(const Context &c, Names names) {
  std::string body = HostSteps(c, names).print(names);
  return declareOriginal(c) + c.templateHead() + c.linkage() + "void " +
         c.name() + "(" + hostParameters(c.nest, c.options.isC) + ") {\n" +
         definedSizes(c, names, body) + body + "}\n";
}

} // namespace convopt::emit

namespace convopt {

std::string exportOriginal(const Nest &nest, const EmitOptions &options) {
  std::vector<std::string> arguments;
  for (const Argument &a : nest.function.arguments)
    arguments.push_back((a.role == Argument::ArrayArg ? "(void *)" : "") +
                        a.name);
  return "void " + emit::original(nest, options) + "(" +
         emit::hostParameters(nest, /*isC=*/true) + ") {\n  " +
         nest.function.name + "(" + llvm::join(arguments, ", ") + ");\n}\n";
}

} // namespace convopt
