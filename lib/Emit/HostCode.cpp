//===- HostCode.cpp - What the host functions share -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "HostBuffers.h"
#include "Text.h"
#include "Vectors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt::emit {

std::string Context::templateArguments() const {
  const auto &args = nest.function.templateArgs;
  return args.empty() ? "" : "<" + llvm::join(args, ", ") + ">";
}

std::string instanceArguments(const Nest &nest, Instance instance,
                              ArrayRef<std::string> own) {
  std::vector<std::string> all;
  if (hasOffsetType(nest))
    all.push_back(instance.isSmall ? "int" : "long long");
  if (!alignedArrays(nest).empty())
    all.push_back(instance.isAligned ? "true" : "false");
  llvm::append_range(all, own);
  return all.empty() ? "" : "<" + llvm::join(all, ", ") + ">";
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

std::string Context::kernelTemplateHead(const std::string &aligned) const {
  std::vector<std::string> own;
  if (!offsetType.empty())
    own.push_back("typename " + offsetType);
  if (!aligned.empty())
    own.push_back("bool " + aligned);
  std::string head = templateHead();
  if (own.empty())
    return head;
  StringRef rest = StringRef(head).ltrim();
  bool isTemplate = rest.consume_front("template");
  return "template <" + llvm::join(own, ", ") +
         (isTemplate ? ", " + rest.ltrim().drop_front().str() : ">\n");
}

/// `const float *@` with the name in its place.
std::string declare(StringRef type, StringRef name) {
  auto [before, after] = type.split('@');
  return (before + name + after).str();
}

std::string definedSizes(const Context &c, const Names &names, StringRef body) {
  std::string text;
  for (const Param &p : llvm::reverse(c.nest.params)) {
    if (!p.definition || !(usesWord(body, p.name) || usesWord(text, p.name)))
      continue;
    // A product of sizes can pass 2^31 where the sizes do not; of what is none
    // the launcher checks that it does not.
    bool isInt = isLinear(c.nest.expandDefinitions(*p.definition));
    text = std::string("  const ") + (isInt ? "int " : "long long ") + p.name +
           " = " +
           (isInt ? names.expr(*p.definition) : names.wide(*p.definition)) +
           ";\n" + text;
  }
  return text;
}

/// Whether every value of the parameter's type is one of int.
bool fitsInt(const Param &p) {
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
  if (kernel) {
    for (const Copy *copy : copiesTo(c.nest, c.mapping, Buffer::Global)) {
      const Array &b = c.nest.arrays[copy->buffer];
      parts.push_back("const " + b.elementType + " *__restrict__ " + b.name);
    }
    for (const auto &[loop, name] : c.hostLoops)
      parts.push_back("int " + name);
    for (const auto &[copy, name] : c.tensorMaps)
      parts.push_back("const __grid_constant__ CUtensorMap " + name);
  }
  return llvm::join(parts, ", ");
}

std::string passedText(const Context &c, const Argument &a) {
  bool narrows =
      a.role == Argument::ParamArg && !fitsInt(c.nest.params[a.index]);
  return narrows ? "(int)" + a.name : a.name;
}

std::string factTests(const Context &c, const Names &names) {
  std::vector<Constraint> all;
  for (const Assumption &a : c.options.facts)
    all.push_back(a.fact);
  return names.conjunction(all, /*negated=*/true);
}

std::string argumentNames(const Context &c) {
  std::vector<std::string> parts;
  for (const Argument &a : c.nest.function.arguments)
    parts.push_back(a.name);
  return llvm::join(parts, ", ");
}

std::vector<ArrayArgument> buffers(const Context &c, Names &names) {
  std::vector<ArrayArgument> result;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ArrayArg)
      result.push_back(
          {&a, &c.nest.arrays[a.index], names.fresh(a.name + "_elements")});
  return result;
}

std::string printElementCounts(const Context &c,
                               ArrayRef<ArrayArgument> buffers,
                               const Names &names) {
  std::string text;
  auto count = [&](ArrayRef<IndexExpr> extents) {
    std::vector<std::string> all;
    for (const IndexExpr &e : extents)
      all.push_back(names.wide(e));
    return c.helper("_elements") + "({" + llvm::join(all, ", ") + "})";
  };
  for (const ArrayArgument &b : buffers) {
    std::vector<std::string> bounds;
    for (const IndexExpr &e : b.array->footprint)
      bounds.push_back(count(e));
    if (bounds.empty())
      bounds.push_back(count(b.array->extents));
    std::string least = llvm::join(bounds, ",\n                ");
    text += "  const size_t " + b.elements + " = " +
            (bounds.size() == 1 ? least : "std::min({" + least + "})") + ";\n";
  }
  return text;
}

std::string overlapTests(const Context &c, ArrayRef<ArrayArgument> buffers) {
  std::vector<std::string> tests;
  auto bytes = [](const ArrayArgument &b) {
    return b.elements + " * sizeof(" + b.array->elementType + ")";
  };
  for (size_t i = 0; i != buffers.size(); ++i)
    for (size_t j = i + 1; j != buffers.size(); ++j) {
      const ArrayArgument &a = buffers[i], &b = buffers[j];
      if (a.array->role != Array::Input || b.array->role != Array::Input)
        tests.push_back(c.helper("_overlap") + "(" + a.argument->name + ", " +
                        bytes(a) + ", " + b.argument->name + ", " + bytes(b) +
                        ")");
    }
  return llvm::join(tests, " ||\n      ");
}

} // namespace convopt::emit
