//===- TemplateInstances.cpp - Shapes of templates ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TemplateInstances.h"
#include "ShapeCheck.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::verify {

using Types = std::map<std::string, std::string>;

/// The value that \p instance has for \p name; empty where that is no argument.
static std::string valueOf(const Nest &nest, const TemplateInstance &instance,
                           StringRef name) {
  for (const auto &[argument, value] :
       zip(nest.function.templateArgs, instance))
    if (argument == name)
      return value;
  return "";
}

std::vector<Assumption> sizesOf(const Nest &nest,
                                const TemplateInstance &instance) {
  std::vector<Assumption> facts;
  for (const auto &[id, p] : enumerate(nest.params)) {
    int64_t value;
    if (p.isTemplate && !p.definition &&
        !StringRef(valueOf(nest, instance, p.name)).getAsInteger(10, value))
      facts.push_back(
          {{Constraint::Zero, IndexExpr::param(id) - IndexExpr(value)},
           "an instance of the file has it"});
  }
  return facts;
}

bool hasSizesOf(const Nest &nest, const TemplateInstance &instance,
                const Shape &shape) {
  const std::vector<Assumption> sizes = sizesOf(nest, instance);
  const auto values = paramValues(nest, shape);
  return !sizes.empty() && all_of(sizes, [&](const Assumption &a) {
    return holds(a.fact, values);
  });
}

/// As a shape has them.
static Types typesOf(const Nest &nest, const TemplateInstance &instance) {
  Types types;
  for (const std::string &name : spelledArguments(nest))
    types[name] = valueOf(nest, instance, name);
  return types;
}

void giveTypes(const Nest &nest, ArrayRef<TemplateInstance> instances,
               std::vector<Shape> &shapes) {
  std::vector<Types> others, given;
  for (const TemplateInstance &instance : instances)
    if (Types types = typesOf(nest, instance); !shapes.empty() &&
                                               types != shapes.front().types &&
                                               !is_contained(others, types))
      others.push_back(std::move(types));
  // Where the file makes none, `double` is a type like any other.
  if (instances.empty() && !nest.function.typeParams.empty()) {
    Types types;
    for (const std::string &name : nest.function.typeParams)
      types[name] = "double";
    others.push_back(std::move(types));
  }
  if (others.empty())
    return;
  for (auto [k, shape] : enumerate(shapes)) {
    if (k % 2 == 1)
      shape.types = others[k / 2 % others.size()];
    std::vector<Types> ofSizes;
    for (const TemplateInstance &instance : instances)
      if (hasSizesOf(nest, instance, shape))
        ofSizes.push_back(typesOf(nest, instance));
    if (!ofSizes.empty() && !is_contained(ofSizes, shape.types))
      shape.types = ofSizes[k % ofSizes.size()];
    given.push_back(shape.types);
  }
  for (const Types &types : others)
    if (!is_contained(given, types)) {
      shapes.push_back(shapes.front());
      shapes.back().types = types;
    }
}

} // namespace convopt::verify
