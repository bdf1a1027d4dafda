//===- Shapes.cpp - Sizes that a nest is verified with --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeCheck.h"
#include "TemplateInstances.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Nest/Text.h"
#include "convopt/Source/CTypes.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {
namespace verify {

std::vector<std::optional<int64_t>> paramValues(const Nest &nest,
                                                const Shape &shape) {
  std::vector<std::optional<int64_t>> values;
  for (const Param &p : nest.params) {
    if (p.definition) {
      values.push_back(evaluate(*p.definition, values));
      continue;
    }
    auto it = shape.sizes.find(p.name);
    values.push_back(it == shape.sizes.end()
                         ? std::nullopt
                         : std::optional<int64_t>(it->second));
  }
  return values;
}

std::optional<int64_t> evaluate(const IndexExpr &e,
                                ArrayRef<std::optional<int64_t>> values) {
  for (Var v : e.vars())
    if (v.kind != Var::Param || v.id >= values.size() || !values[v.id])
      return std::nullopt;
  return e.evaluate([&](Var v) { return *values[v.id]; });
}

std::vector<int64_t> valuesAmong(const Param &p) {
  return isBoolean(p.type) ? std::vector<int64_t>{0, 1} : p.enumerators;
}

bool isAmong(const Param &p, int64_t value) {
  const std::vector<int64_t> values = valuesAmong(p);
  return values.empty() || is_contained(values, value);
}

std::vector<std::string> spelledArguments(const Nest &nest) {
  std::vector<std::string> names;
  for (const std::string &name : nest.function.templateArgs)
    if (none_of(nest.params,
                [&](const Param &p) { return p.isTemplate && p.name == name; }))
      names.push_back(name);
  return names;
}

std::string usualArgument(const Nest &nest, StringRef name) {
  return !is_contained(nest.function.typeParams, name) ? "1"
         : needsInteger(nest, name)                    ? "int"
                                                       : "float";
}

static Error refuseShape(const Twine &message, const Twine &remedy = "") {
  return refuse("shape", message.str(), {}, remedy.str());
}

/// `-shape=H=?,W=?` with every name that is needed.
static std::string usage(const Nest &nest) {
  std::vector<std::string> names;
  for (const Param &p : nest.params)
    if (!p.definition)
      names.push_back(p.name + "=...");
  return names.empty() ? "this nest has no sizes to give"
                       : "give -shape=" + join(names, ",");
}

bool holds(const Constraint &c, ArrayRef<std::optional<int64_t>> values) {
  const std::optional<int64_t> value = evaluate(c.expr, values);
  return value && (c.kind == Constraint::Zero ? *value == 0 : *value >= 0);
}

static Error checkAssumptions(const Nest &nest, const Shape &shape,
                              ArrayRef<std::optional<int64_t>> values) {
  for (const Assumption &a : nest.assumptions)
    if (!a.spanned && !holds(a.fact, values))
      return refuseShape("the shape " + printShape(nest, shape) +
                             " does not satisfy " + str(nest, a.fact),
                         a.why.empty() ? "" : "needed because: " + a.why);
  return Error::success();
}

/// Of an array that is passed and not used nothing is known, nor needed.
static bool isAccessed(const Nest &nest, size_t array) {
  return any_of(statements(nest), [&](const StatementPath &p) {
    return touches(*p.statement, array);
  });
}

/// Whether \p array is touched at \p values.
static bool isTouchedAt(const Nest &nest, unsigned array,
                        ArrayRef<std::optional<int64_t>> values) {
  const auto under = touchedUnder(nest, array);
  return under.empty() || any_of(under, [&](ArrayRef<Constraint> asked) {
           return all_of(asked,
                         [&](const Constraint &c) { return holds(c, values); });
         });
}

/// What is used whether it is tested for null or not is there.
static Error checkPresence(const Nest &nest, const Shape &shape,
                           ArrayRef<std::optional<int64_t>> values) {
  for (const Argument &a : nest.function.arguments) {
    const std::optional<unsigned> isThere = a.role == Argument::ArrayArg
                                                ? presenceOf(nest.function, a)
                                                : std::nullopt;
    if (isThere && values[*isThere] == 0 && isAccessed(nest, a.index) &&
        isTouchedAt(nest, a.index, values))
      return refuseShape("with the shape " + printShape(nest, shape) + " '" +
                         a.name + "' is null, and is used");
  }
  return Error::success();
}

static Error checkArrays(const Nest &nest, const Shape &shape,
                         ArrayRef<std::optional<int64_t>> values,
                         bool mayBeEmpty) {
  for (const auto &[id, a] : enumerate(nest.arrays)) {
    if (a.isLocal() || !isAccessed(nest, id))
      continue;
    double elements = 1;
    for (const IndexExpr &e : a.extents) {
      auto extent = evaluate(e, values);
      if (!extent)
        return refuseShape("the extents of '" + a.name +
                           "' are not decided by the shape " +
                           printShape(nest, shape));
      if (*extent < 1 && !mayBeEmpty)
        return refuseShape("with the shape " + printShape(nest, shape) +
                           " the extent " + str(nest, e) + " of '" + a.name +
                           "' is " + Twine(*extent));
      elements *= std::max<int64_t>(*extent, 0);
    }
    if (elements > 1e11)
      return refuseShape("with the shape " + printShape(nest, shape) + " '" +
                         a.name + "' has more than 10^11 elements");
  }
  return Error::success();
}

Error checkShape(const Nest &nest, const Shape &shape, bool mayBeEmpty) {
  for (const Param &p : nest.params)
    if (!p.definition && !shape.sizes.count(p.name))
      return refuseShape("the shape has no value for '" + p.name + "'",
                         usage(nest));
  for (const Param &p : nest.params)
    if (!p.definition && isUnsigned(p) && shape.sizes.at(p.name) < 0)
      return refuseShape("'" + p.name + "' is unsigned", "give it 0 or more");
  auto values = paramValues(nest, shape);
  RETURN_IF_ERROR(checkAssumptions(nest, shape, values));
  RETURN_IF_ERROR(checkPresence(nest, shape, values));
  return checkArrays(nest, shape, values, mayBeEmpty);
}

static double countIn(const Body &body, std::map<unsigned, int64_t> &iterators,
                      ArrayRef<std::optional<int64_t>> values) {
  auto bound = [&](const Bound &b) -> std::optional<int64_t> {
    for (Var v : b.expr.vars())
      if (v.kind == Var::Loop ? !iterators.count(v.id) : !values[v.id])
        return std::nullopt;
    auto e = b.expr.evaluate([&](Var v) {
      return v.kind == Var::Loop ? iterators[v.id] : *values[v.id];
    });
    if (!e)
      return std::nullopt;
    return *e >= 0 ? (*e + b.divisor - 1) / b.divisor : *e / b.divisor;
  };
  double count = 0;
  for (const NodeRef &n : body) {
    if (isa<Statement>(n.get()))
      ++count;
    if (const auto *g = dyn_cast<Guard>(n.get()))
      count += countIn(g->body, iterators, values);
    if (const auto *l = dyn_cast<Loop>(n.get())) {
      int64_t low = 0, high = INT64_MAX;
      for (const Bound &b : l->lower)
        low = std::max(low, bound(b).value_or(0));
      for (const Bound &b : l->upper)
        high = std::min(high, bound(b).value_or(INT64_MAX));
      iterators[l->id] = low;
      count += std::max(0.0, double(high) - double(low)) *
               countIn(l->body, iterators, values);
    }
  }
  return count;
}

std::string printShape(const Nest &nest, const Shape &shape) {
  std::vector<std::string> parts;
  for (const Param &p : nest.params) {
    auto it = shape.sizes.find(p.name);
    if (!p.definition && it != shape.sizes.end())
      parts.push_back(p.name + "=" + std::to_string(it->second));
  }
  for (const auto &[name, type] : shape.types)
    parts.push_back(name + "=" + type);
  return join(parts, " ");
}

/// Type names go into the driver's text.
static bool isTypeName(StringRef type) {
  return !type.empty() && all_of(type, [](char c) {
    return isAlnum(c) || c == '_' || c == ':' || c == ' ';
  });
}

static Error parseSize(const Param &p, StringRef value, Shape &shape) {
  int64_t size;
  if (value.getAsInteger(10, size))
    return refuseShape("the value of '" + p.name + "' in the shape is '" +
                           value + "', which is no integer of 64 bits",
                       "sizes are decimal numbers, as in -shape=" + p.name +
                           "=33");
  StringRef type = p.type;
  const bool wide = type.contains("long") || type.contains("64") ||
                    type.contains("size_t") || type.contains("ptrdiff");
  if ((!wide && !isInt<32>(size)) || (size < 0 && isUnsigned(p)))
    return refuseShape("the value of '" + p.name + "' in the shape is " +
                       Twine(size) + ", which " + type + " does not hold");
  if (!p.enumerators.empty() && !isAmong(p, size))
    return refuseShape("the value of '" + p.name + "' in the shape is " +
                       Twine(size) + ", which is no enumerator of " + type);
  shape.sizes[p.name] = size;
  return Error::success();
}

static Error parseEntry(StringRef entry, const Nest &nest, Shape &shape) {
  auto [text, value] = entry.split('=');
  const std::string name = withSizeNames(nest, text.trim());
  value = value.trim();
  if (!entry.contains('='))
    return refuseShape("'" + entry + "' in the shape is no NAME=VALUE",
                       usage(nest));
  if (shape.sizes.count(name) || shape.types.count(name))
    return refuseShape("the shape gives '" + name + "' twice");
  for (const Param &p : nest.params) {
    if (p.name != name)
      continue;
    if (p.definition)
      return refuseShape("'" + name + "' follows from the other sizes: it is " +
                             str(nest, *p.definition),
                         usage(nest));
    return parseSize(p, value, shape);
  }
  if (!is_contained(spelledArguments(nest), name))
    return refuseShape("the nest has no size '" + name + "'", usage(nest));
  if (!isTypeName(value))
    return refuseShape("'" + value + "' is no name of a type for '" + name +
                       "'");
  shape.types[name] = value.str();
  return Error::success();
}

} // namespace verify

double countStatements(const Nest &nest, const Shape &shape) {
  std::map<unsigned, int64_t> iterators;
  return verify::countIn(nest.body, iterators,
                         verify::paramValues(nest, shape));
}

TemplateInstance templateArguments(const Nest &nest, const Shape &shape) {
  TemplateInstance spelled;
  for (const std::string &name : nest.function.templateArgs) {
    auto type = shape.types.find(name);
    auto size = shape.sizes.find(name);
    spelled.push_back(type != shape.types.end() ? type->second
                      : size != shape.sizes.end()
                          ? std::to_string(size->second)
                          : verify::usualArgument(nest, name));
    // No number becomes an enumeration by itself.
    for (const Param &p : nest.params)
      if (p.name == name && !isBoolean(p.type) && !isInteger(p.type))
        spelled.back() = "(" + p.type + ")" + spelled.back();
  }
  return spelled;
}

size_t countInstances(const Nest &nest, ArrayRef<Shape> shapes) {
  std::set<TemplateInstance> instances;
  for (const Shape &s : shapes)
    instances.insert(templateArguments(nest, s));
  return instances.size();
}

Expected<Shape> parseShape(StringRef text, const Nest &nest,
                           ArrayRef<TemplateInstance> instances,
                           bool mayBeEmpty) {
  Shape shape;
  SmallVector<StringRef> entries;
  if (!text.trim().empty())
    text.split(entries, ',');
  for (StringRef entry : entries)
    RETURN_IF_ERROR(verify::parseEntry(entry.trim(), nest, shape));
  if (!instances.empty())
    for (const auto &[name, type] : verify::typesOf(nest, instances.front()))
      shape.types.try_emplace(name, type);
  for (const std::string &name : verify::spelledArguments(nest))
    shape.types.try_emplace(name, verify::usualArgument(nest, name));
  RETURN_IF_ERROR(verify::checkShape(nest, shape, mayBeEmpty));
  return shape;
}

} // namespace convopt
