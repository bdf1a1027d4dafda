//===- Shapes.cpp - Layers by size and by name ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerFields.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace convopt::bench {

ArrayRef<LayerField> layerFields() {
  using L = LayerShape;
  using F = LayerField;
  static const LayerField fields[] = {
      {"N", &L::N, 1, F::InFiles},
      {"C", &L::C, 1, F::Everywhere},
      {"H", &L::H, 1, F::Everywhere},
      {"W", &L::W, 1, F::Everywhere},
      {"K", &L::K, 1, F::Everywhere},
      {"R", &L::R, 1, F::Everywhere},
      {"S", &L::S, 1, F::Everywhere},
      {"pad_h", &L::padH, 0, F::Nowhere},
      {"pad_w", &L::padW, 0, F::Nowhere},
      {"stride_h", &L::strideH, 1, F::Nowhere},
      {"stride_w", &L::strideW, 1, F::Nowhere},
      {"dil_h", &L::dilationH, 1, F::Nowhere},
      {"dil_w", &L::dilationW, 1, F::Nowhere},
      {"groups", &L::groups, 1, F::Nowhere},
  };
  return fields;
}

const LayerField *findField(StringRef name) {
  const LayerField *f = find_if(
      layerFields(), [&](const LayerField &f) { return f.name == name; });
  return f == layerFields().end() ? nullptr : f;
}

std::string LayerShape::str() const {
  static const LayerShape defaults;
  std::vector<std::string> parts;
  for (const LayerField &f : layerFields())
    if (f.needed != LayerField::Nowhere || this->*f.value != defaults.*f.value)
      parts.push_back((f.name + "=" + Twine(this->*f.value)).str());
  return join(parts, " ");
}

std::string setField(LayerShape &layer, const LayerField &field,
                     StringRef value) {
  int64_t size;
  if (value.getAsInteger(10, size) || size > INT32_MAX || size < INT32_MIN)
    return ("'" + value + "' for " + field.name +
            " is no whole number that an int holds")
        .str();
  if (size < field.least)
    return (field.name + " is " + Twine(size) + ", it is at least " +
            Twine(field.least))
        .str();
  layer.*field.value = size;
  return "";
}

static std::string checkOutput(StringRef what, int64_t image, int64_t pad,
                               int64_t dilation, int64_t filter) {
  const int64_t reach = dilation * (filter - 1) + 1;
  if (image + 2 * pad >= reach)
    return "";
  return ("a filter over " + Twine(reach) + " " + what +
          " leaves no output of " + Twine(image) + " padded by " + Twine(pad))
      .str();
}

std::string checkLayer(const LayerShape &l) {
  if (l.C % l.groups || l.K % l.groups)
    return (Twine(l.groups) + " groups do not divide C = " + Twine(l.C) +
            " and K = " + Twine(l.K))
        .str();
  std::string rows = checkOutput("rows", l.H, l.padH, l.dilationH, l.R);
  return rows.empty() ? checkOutput("columns", l.W, l.padW, l.dilationW, l.S)
                      : rows;
}

Error refuseShape(const Twine &message, const Twine &remedy) {
  return refuse("shape", message.str(), {}, remedy.str());
}

static std::string fieldNames() {
  std::vector<std::string> names;
  for (const LayerField &f : layerFields())
    names.push_back(f.name.str());
  return join(names, ", ");
}

Expected<LayerShape> parseLayer(StringRef text) {
  LayerShape layer;
  std::set<StringRef> given;
  SmallVector<StringRef> entries;
  text.split(entries, ',');
  for (StringRef entry : entries) {
    auto [name, value] = entry.split('=');
    name = name.trim();
    const LayerField *field = findField(name);
    if (!entry.contains('=') || !field)
      return refuseShape("'" + entry.trim() + "' is no size of a layer",
                         "give NAME=VALUE with names of " + fieldNames());
    if (!given.insert(name).second)
      return refuseShape("the shape gives '" + name + "' twice");
    if (std::string wrong = setField(layer, *field, value.trim());
        !wrong.empty())
      return refuseShape(wrong);
  }
  for (const LayerField &f : layerFields())
    if (f.needed == LayerField::Everywhere && !given.count(f.name))
      return refuseShape("the layer has no " + f.name,
                         "give C, H, W, K, R and S at least");
  if (std::string wrong = checkLayer(layer); !wrong.empty())
    return refuseShape(wrong);
  return layer;
}

/// "thesis-r1, thesis-r2, ...; sets: seed, ...".
static std::string available(ArrayRef<LayerShape> rows) {
  std::vector<std::string> names, sets;
  for (const LayerShape &row : rows) {
    names.push_back(row.name);
    if (!row.set.empty() && !is_contained(sets, row.set))
      sets.push_back(row.set);
  }
  return "there are " + join(names, ", ") +
         (sets.empty() ? "" : "; sets: " + join(sets, ", "));
}

std::vector<LayerShape> selectShapes(ArrayRef<LayerShape> rows,
                                     ArrayRef<std::string> wanted) {
  auto isSet = [&](const std::string &w) {
    return !w.empty() &&
           any_of(rows, [&](const LayerShape &row) { return row.set == w; });
  };
  auto isName = [&](const std::string &w) {
    return any_of(rows, [&](const LayerShape &row) { return row.name == w; });
  };
  const bool hasSets = any_of(wanted, isSet);
  std::vector<LayerShape> chosen;
  for (const LayerShape &row : rows)
    if (is_contained(wanted, row.name) ||
        (!row.set.empty() && is_contained(wanted, row.set)) ||
        (row.isCut && hasSets))
      chosen.push_back(row);
  for (const std::string &w : wanted) {
    if (isSet(w) || isName(w))
      continue;
    LayerShape unknown;
    unknown.name = w;
    unknown.problem =
        "no shape and no set is called '" + w + "'; " + available(rows);
    chosen.push_back(std::move(unknown));
  }
  return chosen;
}

} // namespace convopt::bench
