//===- TemplateInstances.cpp - Shapes of templates ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TemplateInstances.h"
#include "ShapeCheck.h"

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

Types typesOf(const Nest &nest, const TemplateInstance &instance) {
  Types types;
  for (const std::string &name : spelledArguments(nest))
    types[name] = valueOf(nest, instance, name);
  return types;
}

/// Those that the file's instances have, each once; where it makes none, what
/// shapes have by themselves and a wider type.
static std::vector<Types> typesToVerify(const Nest &nest,
                                        ArrayRef<TemplateInstance> instances) {
  std::vector<Types> all;
  for (const TemplateInstance &instance : instances)
    if (Types types = typesOf(nest, instance); !is_contained(all, types))
      all.push_back(std::move(types));
  if (!all.empty() || nest.function.typeParams.empty())
    return all;
  all.resize(2);
  for (const std::string &name : spelledArguments(nest)) {
    const std::string usual = usualArgument(nest, name);
    all[0][name] = usual;
    all[1][name] = usual == "float" ? "double"
                   : usual == "int" ? "long long"
                                    : usual;
  }
  return all;
}

void giveTypes(const Nest &nest, ArrayRef<TemplateInstance> instances,
               std::vector<Shape> &shapes) {
  const std::vector<Types> all = typesToVerify(nest, instances);
  if (all.empty() || shapes.empty())
    return;
  std::vector<Types> given;
  for (auto [k, shape] : enumerate(shapes)) {
    shape.types = all[k % all.size()];
    std::vector<Types> ofSizes;
    for (const TemplateInstance &instance : instances)
      if (hasSizesOf(nest, instance, shape))
        ofSizes.push_back(typesOf(nest, instance));
    if (!ofSizes.empty() && !is_contained(ofSizes, shape.types))
      shape.types = ofSizes[k % ofSizes.size()];
    given.push_back(shape.types);
  }
  for (const Types &types : all)
    if (!is_contained(given, types)) {
      shapes.push_back(shapes.front());
      shapes.back().types = types;
    }
}

} // namespace convopt::verify
