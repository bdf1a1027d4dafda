//===- CudnnLibrary.cpp - Both interfaces of cuDNN ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The graph interface has engines that the older one does not offer, and the
/// older one names its algorithms. Where the former fails, the latter is left.
///
//===----------------------------------------------------------------------===//

#include "ConvolutionLibrary.h"
#include "CudnnGraph.h"
#include "convopt/Bench/Job.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

namespace {

class CudnnLibrary : public ConvolutionLibrary {
public:
  CudnnLibrary(CudnnConvolution older, const LayerShape &layer, bool withGraph)
      : older(std::move(older)) {
    for (int k = 0; k != CUDNN_CONVOLUTION_FWD_ALGO_COUNT; ++k)
      all.push_back({cudnnAlgorithm(k).name, cudnnAlgorithm(k).isDirect});
    if (!withGraph)
      return;
    auto made =
        CudnnGraph::create(this->older.library(), this->older.raw(), layer);
    if (!made) {
      problems = messageOf(made.takeError());
      return;
    }
    graph = std::move(*made);
    problems = graph->trouble();
    all.insert(all.end(), graph->ways().begin(), graph->ways().end());
  }

  std::string version() const override { return older.version(); }
  ArrayRef<Way> ways() const override { return all; }
  std::string trouble() const override { return problems; }

  Expected<size_t> prepare(size_t way) override {
    if (way >= Algorithms)
      return graph->prepare(way - Algorithms);
    Expected<size_t> bytes = older.workspace(int(way));
    if (bytes)
      workspaces[way] = *bytes;
    return bytes;
  }

  Error run(size_t way, const LayerBuffers &b) override {
    if (way >= Algorithms)
      return graph->run(way - Algorithms, b);
    return older.run(int(way), b.input, b.filter, b.workspace, workspaces[way],
                     b.output);
  }

private:
  static constexpr size_t Algorithms = CUDNN_CONVOLUTION_FWD_ALGO_COUNT;

  CudnnConvolution older;
  std::unique_ptr<CudnnGraph> graph; // may be null
  std::vector<Way> all;              // algorithms, then those of the graph
  std::array<size_t, Algorithms> workspaces{};
  std::string problems;
};

} // namespace

Expected<std::unique_ptr<ConvolutionLibrary>>
openCudnn(const LayerShape &layer, const std::string &where, bool withGraph) {
  ASSIGN_OR_RETURN(CudnnConvolution older,
                   CudnnConvolution::create(layer, where));
  return std::make_unique<CudnnLibrary>(std::move(older), layer, withGraph);
}

} // namespace convopt::bench
