//===- OriginalOfC.cpp - What C has for the functions of C++ --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Emit/Emit.h"
#include "convopt/Lower/Signature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// Whether each parameter that is no argument is an object that can be made.
static bool canBeMade(const Function &f) {
  return all_of(f.parameters, [&](const Parameter &p) {
    return !p.object.empty() || any_of(f.arguments, [&](const Argument &a) {
      return !a.isPart() && a.name == p.name;
    });
  });
}

/// C that copies the elements of the variable that \p a is, or gets them back.
static std::string copyVariable(const Argument &a, const std::string &element,
                                bool isBack) {
  const std::string here = "((" + element + " *)" + a.source + ")[k]",
                    there = a.name + "[k]";
  return "  for (unsigned long k = 0; k != " + std::to_string(a.elements) +
         "; ++k)\n    " + (isBack ? there : here) + " = " +
         (isBack ? here : there) + ";\n";
}

/// An object whose parts are what the nest takes of it, the rest zero; and the
/// variables of the file that it reads.
static std::string makeObjects(const Nest &nest) {
  const Function &f = nest.function;
  std::string text;
  for (const Parameter &p : f.parameters)
    if (!p.object.empty())
      text += "  " + declare(p.object, p.name) +
              (p.elements ? "[" + std::to_string(p.elements) + "]" : "") +
              " = {0};\n";
  for (const Argument &a : f.arguments) {
    if (a.isExtern || a.isConst) // which have their values
      continue;
    if (a.isGlobalArray())
      text += copyVariable(a, nest.arrays[a.index].elementType, false);
    else if (a.isPart() && !a.isPresence)
      text += "  " + a.source + " = " +
              (a.role == Argument::ArrayArg ? "(void *)" : "") + a.name + ";\n";
  }
  return text;
}

static bool isArray(const Function &f, StringRef name) {
  return any_of(f.arguments, [&](const Argument &a) {
    return a.role == Argument::ArrayArg && a.name == name;
  });
}

/// \p parameters as C has them whose headers nobody knows: `bool` is a macro.
static std::string inC(std::vector<std::string> parameters) {
  for (std::string &p : parameters)
    if (StringRef(p).starts_with("bool "))
      p = "_Bool" + p.substr(strlen("bool"));
  return join(parameters, ", ");
}

/// The naive signature on the function of C++ that takes its parts.
static std::string wrapFlat(const Nest &nest, const LowerOptions &options) {
  const Function &f = nest.function;
  std::vector<std::string> parameters, names, parts;
  std::vector<std::string> taken = hostParameters(nest);
  for (const Parameter &p : f.parameters) {
    parameters.push_back(declare(p.type, p.name));
    names.push_back(p.name);
  }
  for (const Argument &a : f.arguments)
    parts.push_back((a.role == Argument::ArrayArg ? "(void *)" : "") +
                    (a.isPart() ? a.text() : a.name));
  for (const std::string &o : f.objectsToTest()) {
    append_range(taken, ArrayRef({"const void *", "unsigned long long"}));
    append_range(parts, ArrayRef({"&(" + o + ")", "sizeof(" + o + ")"}));
  }
  const std::string flat = hostName(f, /*isC=*/true, options.suffix);
  return "int " + flat + "(" + inC(taken) + ");\nvoid " + f.name +
         options.suffix + "(" + inC(parameters) + ") {\n  if (!" + flat + "(" +
         join(parts, ", ") + "))\n    " + f.name + "(" + join(names, ", ") +
         ");\n}\n";
}

std::string exportOriginal(const Nest &nest, const LowerOptions &options) {
  const Function &f = nest.function;
  std::vector<std::string> arguments;
  for (const Parameter &p : f.signature())
    arguments.push_back((isArray(f, p.name) ? "(void *)" : "") + p.name);
  std::string wrapper = f.hasParts() ? wrapFlat(nest, options) : "";
  std::string results;
  for (const Argument &a : f.arguments) {
    if (!a.isGlobalArray())
      continue;
    if (a.isConst)
      wrapper = "const void *" + originalName(nest, options) + "_" + a.source +
                "(void) { return " + a.source + "; }\n" + wrapper;
    else if (nest.arrays[a.index].role != Array::Input)
      results += copyVariable(a, nest.arrays[a.index].elementType, true);
  }
  return !canBeMade(f)
             ? wrapper
             : "void " + originalName(nest, options) + "(" +
                   inC(hostParameters(nest)) + ") {\n" + makeObjects(nest) +
                   "  " + f.name + "(" + join(arguments, ", ") + ");\n" +
                   results + "}\n" + wrapper;
}

} // namespace convopt
