//===- ProductOperands.h - A sum as a product of matrices -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_PRODUCTOPERANDS_H
#define CONVOPT_LIB_SCHEDULE_PRODUCTOPERANDS_H

#include "ProductModel.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Roles.h"

namespace convopt {

/// What sizes that are not known are taken to be; all of a product of matrices.
constexpr int64_t UnknownChannels = 64, UnknownImages = 16, UnknownRow = 1024;

/// A sum that reads one array by a single parallel loop, the channel, and
/// another by the other parallel loops, the outputs. Loops by which it reads
/// both are batches: each iteration has a product of its own.
struct ProductOperands {
  SourceRange where;              // of the sum
  std::vector<unsigned> parallel; // loops around it
  std::vector<unsigned> batches;  // of these, those that both arrays use
  std::vector<unsigned> outputs;  // and those that become one
  std::vector<unsigned> terms;    // loops of the sum, outermost first
  /// Of `terms`, the loop of which some iterations are staged: the outermost
  /// one of so few terms that these can be unrolled. Those around it are as
  /// they were, so that the sum keeps its order.
  size_t staged = 0;
  unsigned image = 0, filter = 0, target = 0; // arrays
  std::vector<IndexExpr> imageAt, filterAt;   // their subscripts
  unsigned channel = 0;                       // a loop
  bool isGuarded = false;
  /// But for channels and outputs.
  ProductShape shape{1, 1, 1, 1, 1};

  /// Whether it has one loop for each of a product's.
  bool isOfRows() const { return outputs.size() == 1 && terms.size() == 1; }
  int64_t unknownChannels() const {
    return isOfRows() ? UnknownRow : UnknownChannels;
  }
  int64_t unknownOutputs() const {
    return isOfRows() ? UnknownRow : UnknownImages;
  }
  /// Whether the image is a matrix whose rows lie as they are read.
  bool hasMatrix() const {
    return outputs.size() == 1 &&
           imageAt.back() == IndexExpr::loop(outputs.front());
  }
};

/// How often \p loop runs, or \p unknown.
int64_t tripsOf(const Nest &nest, unsigned loop, int64_t unknown);

/// Of rule "structure".
llvm::Error refuseProduct(const llvm::Twine &why, SourceRange where,
                          llvm::StringRef remedy = "leave -algorithm= off");

/// \p e, of a step that makes a product and that nobody wrote: what the step
/// asks for is no remedy.
llvm::Error refuseStep(llvm::Error e);

/// What the sum of \p nest, as written, is a product of. Refuses (rule
/// "structure") a nest that is no such product, or whose filters have no size
/// that is known.
llvm::Expected<ProductOperands> findProduct(const Nest &nest,
                                            const Roles &roles);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_PRODUCTOPERANDS_H
