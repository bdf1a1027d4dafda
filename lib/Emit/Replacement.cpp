//===- Replacement.cpp - The naive signature on host pointers
//----------------===//
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

static std::string hostParameters(const Context &c) {
  std::vector<std::string> parameters;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ArrayArg && c.options.isC) {
      const Array &array = c.nest.arrays[a.index];
      parameters.push_back((array.role == Array::Input ? "const " : "") +
                           array.elementType + " *" + a.name);
    } else {
      parameters.push_back(declare(a.type, a.name));
    }
  return llvm::join(parameters, ", ");
}

/// Says what went wrong; C++ then runs the original.
static std::string printFailure(const Context &c, const std::string &error) {
  std::string text = "  if (" + error +
                     " != cudaSuccess) {\n"
                     "    std::fprintf(stderr, \"" +
                     c.name() + ": %s" +
                     (c.options.isC ? "" : "; running the original") +
                     "\\n\", cudaGetErrorString(" + error + "));\n    ";
  text += c.options.isC ? "std::exit(EXIT_FAILURE)"
                        : c.nest.function.name + c.templateArguments() + "(" +
                              argumentNames(c) + ")";
  return text + ";\n  }\n";
}

std::string printReplacement(const Context &c, Names names) {
  std::vector<ArrayArgument> arrays = buffers(c, names);
  std::string error = names.fresh("error");
  std::vector<std::string> device;
  for (const ArrayArgument &b : arrays)
    device.push_back(names.fresh("device_" + b.argument->name));
  std::string body = printElementCounts(c, arrays, names);
  for (size_t k = 0; k != arrays.size(); ++k)
    body += "  " + arrays[k].array->elementType + " *" + device[k] +
            " = nullptr;\n";
  body += "  cudaError_t " + error + " = cudaSuccess;\n";
  // The sizes of arrays rest on the facts.
  if (!c.options.facts.empty())
    body += "  if (" + factTests(c, names) +
            ") // what the kernel was made for\n    " + error +
            " = cudaErrorInvalidValue;\n";
  // Copies would hide an overlap of the host's arrays, so it is tested first.
  std::string overlap = overlapTests(c, arrays);
  if (!overlap.empty())
    body += "  if (" + overlap + ") // arrays must be distinct\n    " + error +
            " = cudaErrorInvalidValue;\n";
  auto step = [&](const std::string &call) {
    body += "  if (" + error + " == cudaSuccess)\n    " + error + " = " + call +
            ";\n";
  };
  auto bytes = [&](size_t k) {
    return arrays[k].elements + " * sizeof(" + arrays[k].array->elementType +
           ")";
  };
  for (size_t k = 0; k != arrays.size(); ++k)
    step("cudaMalloc(&" + device[k] + ", " + bytes(k) + ")");
  // Of what is only written every element is.
  for (size_t k = 0; k != arrays.size(); ++k)
    if (arrays[k].array->role != Array::Output)
      step("cudaMemcpy(" + device[k] + ", " + arrays[k].argument->name + ", " +
           bytes(k) + ", cudaMemcpyHostToDevice)");
  std::vector<std::string> arguments;
  size_t next = 0;
  for (const Argument &a : c.nest.function.arguments)
    arguments.push_back(a.role == Argument::ArrayArg ? device[next++] : a.name);
  arguments.push_back("nullptr");
  step(c.name("_launch") + c.templateArguments() + "(" +
       llvm::join(arguments, ", ") + ")");
  for (size_t k = 0; k != arrays.size(); ++k)
    if (arrays[k].array->role != Array::Input)
      step("cudaMemcpy(" + arrays[k].argument->name + ", " + device[k] + ", " +
           bytes(k) + ", cudaMemcpyDeviceToHost)");
  for (const std::string &d : device)
    body += "  cudaFree(" + d + ");\n";
  body += printFailure(c, error);
  return c.templateHead() + (c.options.isC ? "extern \"C\" " : "") + "void " +
         c.name() + "(" + hostParameters(c) + ") {\n" +
         definedSizes(c, names, body) + body + "}\n";
}

} // namespace convopt::emit
