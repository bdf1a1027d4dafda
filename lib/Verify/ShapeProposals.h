//===- ShapeProposals.h - Shapes and what each shows ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_SHAPEPROPOSALS_H
#define CONVOPT_LIB_VERIFY_SHAPEPROPOSALS_H

#include "KernelSample.h"
#include "NestSample.h"
#include "ShapeChooser.h"
#include "convopt/Transforms/Structure.h"

namespace convopt::verify {

/// A shape and what it shows.
struct Proposal {
  Shape shape;
  Values values;
  double operations;
  Features features;
};

/// What one shape may cost, in statements. Constant sizes can make any cost
/// more; one is run whatever it costs.
constexpr double mostOperations = 3e5;
/// The same of one that whole tiles of a kernel ask for.
constexpr double mostOfTiles = 3e6;

/// Instances of a template whose sizes are wanted.
constexpr size_t mostInstances = 8;

/// Proposes shapes for a nest and the kernels behind its launcher.
class Proposer {
public:
  Proposer(const Nest &nest, llvm::ArrayRef<LaunchedKernel> kernels,
           const Gpu &gpu, llvm::ArrayRef<TemplateInstance> instances);
  std::vector<Proposal> proposals();

private:
  const Nest &nest;
  llvm::ArrayRef<TemplateInstance> instances;
  std::vector<KernelSample> kernels;
  NestSample sample;
  ShapeChooser steps; // chooses nothing
  LoopsByUse byUse;
  std::vector<Proposal> all;

  /// Shapes of one nest, of which one is kept whatever it costs.
  struct Pool {
    Nest nest;
    ShapeChooser chooser;
    std::vector<Proposal> found = {};

    Pool(const Nest &original, llvm::ArrayRef<Assumption> facts);
  };

  bool isKnown(const Shape &shape) const;
  /// Whether some kernel of each part may take \p shape.
  bool isLaunched(const Shape &shape) const;
  void propose(Pool &pool, const Wanted &wanted, double limit = mostOperations);
  void consider(Pool &pool, const Shape &shape, double limit);
  void vary(Pool &pool, const KernelSample &kernel);
  void close(Pool &pool);
  void proposeForNest();
  void proposeInstances();
  void proposeFor(const KernelSample &kernel, std::vector<Assumption> facts);
  void proposeForGeneral(llvm::ArrayRef<KernelSample> part, size_t more);
  void proposeAims(Pool &pool, const KernelSample &kernel);
  void proposeBlocks(Pool &pool, const KernelSample &kernel);
  void proposeLayers(Pool &pool, const KernelSample &kernel);
  void proposeBorders(Pool &pool, const KernelSample &kernel);
  Wanted layerFor(ShapeChooser &chooser, const KernelSample &kernel) const;
  void proposeLargeFilters(Pool &pool);
  void proposeLargeFilters();
  void proposeLittleTouched();
  Features featuresOf(const Shape &shape, const Values &values) const;
  void addSizes(const Shape &shape, Features &features) const;
  void addWays(size_t k, const Values &values, Features &features) const;
  void addAssumptions(const Values &values, Features &features) const;
  void addInstances(const Shape &shape, Features &features) const;
  void addTrips(Features &features) const;
  void addKernels(const Shape &shape, const Values &values,
                  Features &features) const;
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_SHAPEPROPOSALS_H
