//===- Cudnn.h - cuDNN's convolutions ---------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As much of cudnn.h as is used. Names and values are those of cuDNN 9.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_CUDNN_H
#define CONVOPT_LIB_BENCH_CUDNN_H

#include "convopt/Bench/Shapes.h"
#include "llvm/Support/DynamicLibrary.h"

namespace convopt::bench {

using cudnnStatus_t = int;
using cudnnHandle_t = struct cudnnContext *;
using cudnnTensorDescriptor_t = struct cudnnTensorStruct *;
using cudnnFilterDescriptor_t = struct cudnnFilterStruct *;
using cudnnConvolutionDescriptor_t = struct cudnnConvolutionStruct *;
enum cudnnDataType_t : int { CUDNN_DATA_FLOAT = 0 };
enum cudnnTensorFormat_t : int { CUDNN_TENSOR_NCHW = 0 };
enum cudnnConvolutionMode_t : int { CUDNN_CROSS_CORRELATION = 1 };
enum cudnnMathType_t : int { CUDNN_FMA_MATH = 3 };
enum cudnnConvolutionFwdAlgo_t : int { CUDNN_CONVOLUTION_FWD_ALGO_COUNT = 8 };

/// A forward algorithm by its name, and whether it computes the sum of the
/// definition: the others (FFT, Winograd) do less arithmetic.
struct CudnnAlgorithm {
  const char *name;
  bool isDirect;
};
CudnnAlgorithm cudnnAlgorithm(int number);

/// The library and one convolution in plain FP32: no TF32, no half precision.
class CudnnConvolution {
public:
  /// Looks for libcudnn.so.9 in \p where (a folder or the file itself) or, if
  /// that is empty, in the usual places. Refuses (status Missing) where there
  /// is none, and (rule "cudnn") what cuDNN refuses.
  static llvm::Expected<CudnnConvolution> create(const LayerShape &layer,
                                                 const std::string &where);

  std::string version() const;
  /// The library and the handle, for its other interface.
  const llvm::sys::DynamicLibrary &library() const { return loaded; }
  cudnnHandle_t raw() const { return handle; }
  /// Bytes of workspace for \p algorithm; refuses what it cannot do.
  llvm::Expected<size_t> workspace(int algorithm) const;
  /// Starts it on device addresses.
  llvm::Error run(int algorithm, uint64_t input, uint64_t filter,
                  uint64_t workspace, size_t workspaceBytes,
                  uint64_t output) const;

private:
  llvm::Error open(const std::string &where);
  llvm::Error describe(const LayerShape &layer);
  llvm::Error check(cudnnStatus_t status, const char *what) const;

#define ENTRY(name, parameters) cudnnStatus_t(*name) parameters = nullptr;
#include "Cudnn.def"
  llvm::sys::DynamicLibrary loaded;
  size_t (*cudnnGetVersion)() = nullptr;
  const char *(*cudnnGetErrorString)(cudnnStatus_t) = nullptr;
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t input = nullptr, output = nullptr;
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
};

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_CUDNN_H
