//===- BindLayer.cpp - Sizes that make a nest compute a layer -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each loop's extent must be the layer's: a system of equations over the
/// nest's parameters, solved one unknown at a time. Extents of outputs come
/// before those of the input, which may be the least that holds the reads.
///
//===----------------------------------------------------------------------===//

#include "LayerFields.h"
#include "convopt/Bench/Convolution.h"
#include "convopt/Nest/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::bench {

namespace {

/// `left == right`: a size of the nest and the layer's.
struct Equation {
  std::optional<IndexExpr> left; // none: no loop, so 1
  int64_t right;
  std::string what;          // "batch", "output rows"
  std::string given;         // "N = 10000"
  int64_t least = INT64_MIN; // the nest's may be down to this, if it is not ""
};

class Solver {
public:
  Solver(const Nest &nest, const Convolution &c, const LayerShape &layer)
      : nest(nest), layer(layer), values(nest.params.size()) {
    addAxis(c.rows, "rows", layer.R, layer.H, layer.padH, layer.strideH,
            layer.dilationH, layer.outH(), "RH", "_h");
    addAxis(c.columns, "columns", layer.S, layer.W, layer.padW, layer.strideW,
            layer.dilationW, layer.outW(), "SW", "_w");
    add(c.batch, layer.N, "batch", "N");
    add(c.groups, layer.groups, "groups", "groups");
    const StringRef ofGroup = layer.groups == 1 ? "" : " / groups";
    add(c.outChannels, layer.K / layer.groups, "output channels",
        Twine("K") + ofGroup);
    add(c.inChannels, layer.C / layer.groups, "input channels",
        Twine("C") + ofGroup);
    // Least constrained last: what else decides a size comes before these.
    llvm::stable_sort(equations, [](const Equation &a, const Equation &b) {
      return (a.least == INT64_MIN) > (b.least == INT64_MIN);
    });
  }

  Expected<Shape> run(const Convolution &c) {
    RETURN_IF_ERROR(checkSquare(c));
    // An image of constant size says more than the outputs that follow from it.
    for (const Equation &e : equations)
      if (e.least != INT64_MIN && e.left->isConstant())
        RETURN_IF_ERROR(solve(e).takeError());
    while (!equations.empty()) {
      bool progress = false;
      for (size_t i = 0; i != equations.size() && !progress; ++i) {
        ASSIGN_OR_RETURN(bool done, solve(equations[i]));
        if (done)
          equations.erase(equations.begin() + i);
        progress = done;
      }
      if (!progress)
        break;
    }
    return collect();
  }

private:
  void add(std::optional<IndexExpr> left, int64_t right, const Twine &what,
           const Twine &given, int64_t least = INT64_MIN) {
    equations.push_back({std::move(left), right, what.str(),
                         (given + " = " + Twine(right)).str(), least});
  }

  void addAxis(const ImageAxis &a, StringRef what, int64_t filter,
               int64_t image, int64_t padding, int64_t stride, int64_t dilation,
               int64_t outputs, StringRef names, StringRef suffix) {
    add(a.filter, filter, "filter " + what, names.take_front());
    if (a.outputs)
      add(a.stride, stride, "stride along " + what, "stride" + suffix);
    // A filter of one element has no dilation.
    if (a.filter && filter > 1)
      add(a.dilation, dilation, "dilation along " + what, "dil" + suffix);
    add(a.padding, padding, "padding along " + what, "pad" + suffix);
    add(a.outputs, outputs, "output " + what, "output " + what);
    const int64_t read =
        (outputs - 1) * stride + dilation * (filter - 1) + 1 - padding;
    add(a.inputs, image, "image " + what, names.take_back(),
        std::min(image, read));
  }

  Error checkSquare(const Convolution &c) const;
  Expected<bool> solve(const Equation &e);
  Error contradiction(const Equation &e, int64_t left) const;
  Expected<Shape> collect() const;
  IndexExpr substituted(const IndexExpr &e) const {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      if (v.kind == Var::Param && values[v.id])
        return IndexExpr(*values[v.id]);
      return std::nullopt;
    });
  }

  const Nest &nest;
  const LayerShape &layer;
  std::vector<std::optional<int64_t>> values; // by parameter
  std::vector<Equation> equations;
};

/// Where a nest has one size for both directions, say so rather than which
/// equation came second.
Error Solver::checkSquare(const Convolution &c) const {
  auto differ = [&](const std::optional<IndexExpr> &rows,
                    const std::optional<IndexExpr> &columns, int64_t h,
                    int64_t w, StringRef what) -> Error {
    if (!rows || !columns || *rows != *columns || rows->isConstant() || h == w)
      return Error::success();
    return refuseShape("the nest's " + what + " is the same along rows and " +
                       "columns (" + str(nest, *rows) + "), the layer has " +
                       Twine(h) + " x " + Twine(w));
  };
  const LayerShape &l = layer;
  RETURN_IF_ERROR(differ(c.rows.filter, c.columns.filter, l.R, l.S, "filter"));
  RETURN_IF_ERROR(
      differ(c.rows.stride, c.columns.stride, l.strideH, l.strideW, "stride"));
  RETURN_IF_ERROR(
      differ(c.rows.padding, c.columns.padding, l.padH, l.padW, "padding"));
  RETURN_IF_ERROR(differ(c.rows.dilation, c.columns.dilation, l.dilationH,
                         l.dilationW, "dilation"));
  return differ(c.rows.inputs, c.columns.inputs, l.H, l.W, "image");
}

/// True once \p e holds or has decided a parameter; false where it has more
/// than one unknown left.
Expected<bool> Solver::solve(const Equation &e) {
  const IndexExpr left = substituted(e.left.value_or(IndexExpr(1)));
  if (auto value = left.asConstant()) {
    const bool holds = e.least == INT64_MIN
                           ? *value == e.right
                           : *value >= e.least && *value <= e.right;
    if (!holds)
      return contradiction(e, *value);
    return true;
  }
  auto unknown = left.vars();
  if (unknown.size() != 1)
    return false;
  auto coefficient = left.symbolicCoefficient(*unknown.begin());
  auto factor = coefficient ? coefficient->asConstant() : std::nullopt;
  if (!factor)
    return false;
  const int64_t rest =
      e.right - left.substitute(*unknown.begin(), 0).constantTerm();
  if (rest % *factor)
    return refuseShape("no size makes the nest's " + e.what + " (" +
                       str(nest, *e.left) + ") come to the layer's " + e.given);
  values[unknown.begin()->id] = rest / *factor;
  return true;
}

Error Solver::contradiction(const Equation &e, int64_t left) const {
  if (!e.left)
    return refuseShape("the nest has no loop over the " + e.what +
                       ", the layer has " + e.given);
  if (StringRef(e.what).starts_with("padding") && left == 0)
    return refuseShape("the nest reads no padding, the layer has " + e.given);
  if (e.left->isConstant())
    return refuseShape("the nest fixes its " + e.what + " at " + Twine(left) +
                       ", the layer has " + e.given);
  std::vector<std::string> known;
  for (Var v : e.left->vars())
    known.push_back(nest.name(v) + " = " + std::to_string(*values[v.id]));
  std::string is = e.left->asVar()
                       ? known.front()
                       : str(nest, *e.left) + " = " + std::to_string(left) +
                             " (" + join(known, ", ") + ")";
  return refuseShape("the nest's " + e.what + " come to " + is +
                     ", the layer has " + e.given);
}

/// The parameters as a shape, with everything that is checked of any shape.
Expected<Shape> Solver::collect() const {
  std::vector<std::string> parts;
  for (const auto &[param, value] : zip(nest.params, values)) {
    if (param.definition)
      continue;
    if (!value)
      return refuseShape("the layer does not decide the nest's '" + param.name +
                             "'",
                         "give the nest's own sizes with -shape");
    parts.push_back(param.name + "=" + std::to_string(*value));
  }
  return parseShape(join(parts, ","), nest);
}

} // namespace

Expected<Shape> bindLayer(const Nest &nest, const Convolution &c,
                          const LayerShape &layer) {
  return Solver(nest, c, layer).run(c);
}

} // namespace convopt::bench
