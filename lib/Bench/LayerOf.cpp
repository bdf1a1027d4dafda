//===- LayerOf.cpp - The layer that sizes make of a nest ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domain.h"
#include "LayerFields.h"
#include "convopt/Bench/Convolution.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

Expected<LayerShape> layerOf(const Nest &nest, const Convolution &c,
                             const Shape &shape) {
  const std::vector<int64_t> params = paramValues(nest, shape);
  std::string wrong;
  auto value = [&](const std::optional<IndexExpr> &e) -> int64_t {
    if (!e)
      return 1;
    auto v = e->evaluate([&](Var v) { return params[v.id]; });
    if (!v)
      wrong = "'" + str(nest, *e) + "' has no value";
    return v.value_or(1);
  };
  LayerShape l;
  l.N = value(c.batch);
  l.groups = value(c.groups);
  l.C = value(c.inChannels) * l.groups;
  l.K = value(c.outChannels) * l.groups;
  for (auto [axis, image, filter, pad, stride, dilation] :
       {std::tuple(&c.rows, &l.H, &l.R, &l.padH, &l.strideH, &l.dilationH),
        std::tuple(&c.columns, &l.W, &l.S, &l.padW, &l.strideW,
                   &l.dilationW)}) {
    *image = value(axis->inputs);
    *filter = value(axis->filter);
    *pad = value(axis->padding);
    *stride = value(axis->stride);
    *dilation = value(axis->dilation);
  }
  for (const LayerField &f : layerFields())
    if (l.*f.value < f.least && wrong.empty())
      wrong = (f.name + " would be " + Twine(l.*f.value)).str();
  if (wrong.empty())
    wrong = checkLayer(l);
  if (wrong.empty() && (value(c.rows.outputs) != l.outH() ||
                        value(c.columns.outputs) != l.outW()))
    wrong = ("the nest computes " + Twine(value(c.rows.outputs)) + " x " +
             Twine(value(c.columns.outputs)) + " outputs of " +
             Twine(l.outH()) + " x " + Twine(l.outW()))
                .str();
  if (!wrong.empty())
    return refuse("shape", "these sizes make no layer: " + wrong);
  return l;
}

/// The NAMEs of `NAME=VALUE,...`.
static std::vector<StringRef> namesIn(StringRef text) {
  SmallVector<StringRef> entries;
  text.split(entries, ',');
  std::vector<StringRef> names;
  for (StringRef entry : entries)
    names.push_back(entry.split('=').first.trim());
  return names;
}

static bool isOwnName(const Nest &nest, StringRef name) {
  return is_contained(nest.function.templateArgs, name) ||
         any_of(nest.params, [&](const Param &p) { return p.name == name; });
}

Expected<BoundShape> parseShapeOption(StringRef text, const Nest &nest,
                                      const Convolution *c) {
  const std::vector<StringRef> names = namesIn(text);
  auto isOwn = [&](StringRef n) { return isOwnName(nest, n); };
  const bool layerTerms =
      all_of(names, [](StringRef n) { return findField(n) != nullptr; });
  BoundShape result;
  if (all_of(names, isOwn) || !layerTerms) {
    ASSIGN_OR_RETURN(Shape sizes, parseShape(text, nest));
    result.sizes = std::move(sizes);
    if (!c)
      return result;
    // Sizes that make no layer are measured, with nothing to compare to.
    result.layer = expectedToOptional(layerOf(nest, *c, result.sizes));
    return result;
  }
  if (!c)
    return refuse("shape",
                  "'" + text.str() +
                      "' gives a layer's sizes, and "
                      "the nest is no convolution that is recognised",
                  {}, "give the nest's own sizes with -shape");
  ASSIGN_OR_RETURN(LayerShape layer, parseLayer(text));
  ASSIGN_OR_RETURN(Shape sizes, bindLayer(nest, *c, layer));
  return BoundShape{std::move(sizes), std::move(layer)};
}

} // namespace convopt::bench
