//===- Convolution.h - A nest's loops as sizes of a layer -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which layer a nest computes for given sizes, and which sizes make it
/// compute a given layer. Loops are told apart by what their subscripts do,
/// never by their names.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_CONVOLUTION_H
#define CONVOPT_BENCH_CONVOLUTION_H

#include "convopt/Bench/Shapes.h"
#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Verify/Verify.h"

namespace convopt::bench {

/// One direction of the image, over the nest's parameters.
struct ImageAxis {
  std::optional<IndexExpr> outputs; // output rows or columns; none: no loop
  std::optional<IndexExpr> filter;  // filter rows or columns; none: no loop
  IndexExpr inputs = 1;             // extent of the input's dimension
  IndexExpr stride = 1, dilation = 1;
  IndexExpr padding = 0; // how far the first output reaches out of the image
};

/// A nest's loops by what they do in a convolution, as extents over its
/// parameters, definitions expanded; none where there is no such loop.
struct Convolution {
  std::optional<IndexExpr> batch;       // parallel, not used by the filter
  std::optional<IndexExpr> groups;      // parallel, used by input and filter
  std::optional<IndexExpr> outChannels; // of a group: not used by the input
  std::optional<IndexExpr> inChannels;  // of a group: reduced, no window
  ImageAxis rows, columns;
  unsigned input = 0, output = 0; // arrays
};

/// Recognises the convolution in \p original. Refuses (rule "structure") a
/// nest that is none, naming the loop or access that does not fit.
llvm::Expected<Convolution>
findConvolution(const Nest &original, const DependenceAnalysis &dependences);

/// The sizes for which \p nest computes \p layer, its template types float.
/// Refuses (rule "shape") where there are none, saying which size contradicts
/// what in the nest, and where the layer does not decide a parameter.
llvm::Expected<Shape> bindLayer(const Nest &nest, const Convolution &c,
                                const LayerShape &layer);

/// The layer that \p nest computes for \p shape, without a name.
llvm::Expected<LayerShape> layerOf(const Nest &nest, const Convolution &c,
                                   const Shape &shape);

/// Sizes for a nest and, where it is a convolution, the layer they make.
struct BoundShape {
  Shape sizes;
  std::optional<LayerShape> layer;
};

/// The value of `-shape=`: the nest's own parameters where \p text gives
/// exactly those, and a layer (parseLayer) otherwise. \p c may be null.
llvm::Expected<BoundShape>
parseShapeOption(llvm::StringRef text, const Nest &nest, const Convolution *c);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_CONVOLUTION_H
