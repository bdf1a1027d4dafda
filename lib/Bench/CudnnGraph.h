//===- CudnnGraph.h - A layer as a graph of cuDNN's -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_CUDNNGRAPH_H
#define CONVOPT_LIB_BENCH_CUDNNGRAPH_H

#include "ConvolutionLibrary.h"
#include "CudnnBackend.h"
#include <set>

namespace convopt::bench {

/// Every configuration of an engine of cuDNN's that computes a layer in plain
/// FP32: those of the heuristics (modes A and B, and the fallback), then the
/// other engines as they are by default. Left out are engines that numerical
/// notes call reduced in precision: tensor cores, down-converted inputs.
class CudnnGraph {
public:
  static llvm::Expected<std::unique_ptr<CudnnGraph>>
  create(const llvm::sys::DynamicLibrary &library, cudnnHandle_t handle,
         const LayerShape &layer);

  llvm::ArrayRef<Way> ways() const { return names; }
  /// What went wrong while engines were looked for; empty: nothing.
  const std::string &trouble() const { return problems; }
  llvm::Expected<size_t> prepare(size_t way);
  llvm::Error run(size_t way, const LayerBuffers &buffers);

private:
  CudnnGraph(CudnnBackend backend, cudnnHandle_t handle)
      : backend(backend), handle(handle) {}
  llvm::Expected<CudnnDescriptor>
  make(cudnnBackendDescriptorType_t type) const {
    return CudnnDescriptor::create(backend, type);
  }
  llvm::Error addTensor(int64_t id, llvm::ArrayRef<int64_t> extents);
  llvm::Error addConvolution(const LayerShape &layer);
  llvm::Error addOperation();
  llvm::Error askHeuristics(cudnnBackendHeurMode_t mode);
  llvm::Error askForAll();
  llvm::Error addDefault(int64_t engine);
  llvm::Error addConfiguration(CudnnDescriptor configuration);
  llvm::Expected<CudnnDescriptor> pack(const LayerBuffers &buffers) const;
  void note(llvm::Error e);

  CudnnBackend backend;
  cudnnHandle_t handle;
  std::vector<CudnnDescriptor> parts; // tensors, convolution, operation
  std::optional<CudnnDescriptor> graph;
  std::vector<CudnnDescriptor> configurations; // of the ways
  std::vector<Way> names;
  std::vector<std::optional<CudnnDescriptor>> plans;
  std::set<std::string> seen; // configurations, printed
  std::set<int64_t> engines;  // numbers of those seen
  std::string problems;
  /// Of the last run, so that packing is no part of the next one's time.
  std::optional<CudnnDescriptor> packed;
  LayerBuffers packedFor;
};

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_CUDNNGRAPH_H
