//===- Cases.cpp - Shapes to measure with ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

using namespace bench;

static Error addLayers(const Options &options, const Nest &nest,
                       const Convolution *convolution,
                       std::vector<Case> &cases) {
  ASSIGN_OR_RETURN(std::vector<LayerShape> rows,
                   readShapes(options.shapesFile));
  const std::vector<LayerShape> wanted =
      options.selected.empty() ? rows : selectShapes(rows, options.selected);
  for (const LayerShape &layer : wanted) {
    const bool isLayer = layer.problem.empty();
    Case c{layer.name, isLayer ? layer.str() : "", std::nullopt, layer, ""};
    if (!isLayer) {
      c.refusal = layer.problem;
    } else if (!convolution) {
      c.refusal = "the nest is no convolution: give its own sizes with -shape=";
    } else if (Expected<Shape> shape = bindLayer(nest, *convolution, layer)) {
      c.shape = *shape;
    } else {
      c.refusal = messageOf(shape.takeError());
    }
    cases.push_back(std::move(c));
  }
  return Error::success();
}

static Error addOptionShapes(const Options &options, const Nest &nest,
                             const Convolution *convolution,
                             std::vector<Case> &cases) {
  for (const std::string &text : options.shapes) {
    std::string name = text;
    Case c{name, join(split(text, ','), " "), std::nullopt, std::nullopt, ""};
    Expected<BoundShape> bound = parseShapeOption(text, nest, convolution);
    if (!bound) {
      c.refusal = messageOf(bound.takeError());
    } else {
      c.shape = bound->sizes;
      c.layer = bound->layer;
      if (c.layer)
        c.sizes = c.layer->str();
    }
    cases.push_back(std::move(c));
  }
  return Error::success();
}

Expected<std::vector<Case>> collectCases(const Options &options,
                                         const Nest &nest,
                                         const Convolution *convolution) {
  std::vector<Case> cases;
  if (!options.shapesFile.empty())
    RETURN_IF_ERROR(addLayers(options, nest, convolution, cases));
  RETURN_IF_ERROR(addOptionShapes(options, nest, convolution, cases));
  if (!cases.empty())
    return cases;
  auto constant = expectedToOptional(parseShapeOption("", nest, convolution));
  if (!constant)
    return refuse("usage", "no sizes are given", {},
                  "give them with -shape=, or -shapes= and -set= or -name=");
  Case c{"constant sizes", "", constant->sizes, constant->layer, ""};
  if (c.layer)
    c.sizes = c.layer->str();
  cases.push_back(std::move(c));
  return cases;
}

} // namespace convopt
