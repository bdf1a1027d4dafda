//===- Cudnn.cpp - cuDNN's convolutions -----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cudnn.h"
#include "CudaLibraries.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace convopt::bench {

CudnnAlgorithm cudnnAlgorithm(int number) {
  static constexpr CudnnAlgorithm algorithms[] = {
      {"implicit GEMM", true}, {"implicit precomputed GEMM", true},
      {"GEMM", true},          {"direct", true},
      {"FFT", false},          {"tiled FFT", false},
      {"Winograd", false},     {"non-fused Winograd", false}};
  static_assert(std::size(algorithms) == CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
  return algorithms[number];
}

static Error missingCudnn(const std::string &message) {
  return make_error<Refusal>(ExitStatus::Missing, "cudnn", message);
}

Error CudnnConvolution::open(const std::string &where) {
  std::string file = where;
  if (sys::fs::is_directory(where))
    file += "/libcudnn.so.9";
  auto library = where.empty() ? openLibrary({"libcudnn.so.9"},
                                             cudaFolders({"cudnn", "cu13"}))
                               : openLibrary({StringRef(file)}, {});
  if (!library)
    return missingCudnn("cuDNN (libcudnn.so.9) was not found");
#define ENTRY(name, parameters)                                                \
  if (!findSymbol(*library, #name, name))                                      \
    return missingCudnn("cuDNN has no " #name);
#include "Cudnn.def"
  if (!findSymbol(*library, "cudnnGetVersion", cudnnGetVersion) ||
      !findSymbol(*library, "cudnnGetErrorString", cudnnGetErrorString))
    return missingCudnn("cuDNN has no version");
  loaded = *library;
  return Error::success();
}

Error CudnnConvolution::check(cudnnStatus_t status, const char *what) const {
  if (status == 0)
    return Error::success();
  return refuse("cudnn",
                std::string(what) + ": " + cudnnGetErrorString(status));
}

Error CudnnConvolution::describe(const LayerShape &l) {
  RETURN_IF_ERROR(check(cudnnCreate(&handle), "cudnnCreate"));
  for (cudnnTensorDescriptor_t *tensor : {&input, &output})
    RETURN_IF_ERROR(check(cudnnCreateTensorDescriptor(tensor), "tensor"));
  RETURN_IF_ERROR(check(cudnnCreateFilterDescriptor(&filter), "filter"));
  RETURN_IF_ERROR(
      check(cudnnCreateConvolutionDescriptor(&convolution), "convolution"));
  auto narrow = [](int64_t n) { return static_cast<int>(n); };
  RETURN_IF_ERROR(check(cudnnSetTensor4dDescriptor(
                            input, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                            narrow(l.N), narrow(l.C), narrow(l.H), narrow(l.W)),
                        "the input"));
  RETURN_IF_ERROR(check(
      cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW,
                                 narrow(l.K), narrow(l.C / l.groups),
                                 narrow(l.R), narrow(l.S)),
      "the filter"));
  RETURN_IF_ERROR(
      check(cudnnSetConvolution2dDescriptor(
                convolution, narrow(l.padH), narrow(l.padW), narrow(l.strideH),
                narrow(l.strideW), narrow(l.dilationH), narrow(l.dilationW),
                CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
            "the convolution"));
  RETURN_IF_ERROR(check(
      cudnnSetConvolutionMathType(convolution, CUDNN_FMA_MATH), "plain FP32"));
  RETURN_IF_ERROR(check(
      cudnnSetConvolutionGroupCount(convolution, narrow(l.groups)), "groups"));
  int n = 0, c = 0, h = 0, w = 0;
  RETURN_IF_ERROR(check(cudnnGetConvolution2dForwardOutputDim(
                            convolution, input, filter, &n, &c, &h, &w),
                        "the output"));
  if (n != l.N || c != l.K || h != l.outH() || w != l.outW())
    return refuse("cudnn", "its output has another size");
  return check(cudnnSetTensor4dDescriptor(output, CUDNN_TENSOR_NCHW,
                                          CUDNN_DATA_FLOAT, n, c, h, w),
               "the output");
}

Expected<CudnnConvolution> CudnnConvolution::create(const LayerShape &layer,
                                                    const std::string &where) {
  CudnnConvolution result;
  RETURN_IF_ERROR(result.open(where));
  RETURN_IF_ERROR(result.describe(layer));
  return result;
}

std::string CudnnConvolution::version() const {
  const size_t v = cudnnGetVersion();
  return std::to_string(v / 10000) + "." + std::to_string(v % 10000 / 100) +
         "." + std::to_string(v % 100);
}

Expected<size_t> CudnnConvolution::workspace(int algorithm) const {
  size_t bytes = 0;
  RETURN_IF_ERROR(check(cudnnGetConvolutionForwardWorkspaceSize(
                            handle, input, filter, convolution, output,
                            cudnnConvolutionFwdAlgo_t(algorithm), &bytes),
                        "workspace"));
  return bytes;
}

Error CudnnConvolution::run(int algorithm, uint64_t inputAddress,
                            uint64_t filterAddress, uint64_t workspace,
                            size_t workspaceBytes,
                            uint64_t outputAddress) const {
  const float one = 1, zero = 0;
  auto pointer = [](uint64_t address) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
  };
  return check(cudnnConvolutionForward(
                   handle, &one, input, pointer(inputAddress), filter,
                   pointer(filterAddress), convolution,
                   cudnnConvolutionFwdAlgo_t(algorithm), pointer(workspace),
                   workspaceBytes, &zero, output, pointer(outputAddress)),
               "cudnnConvolutionForward");
}

} // namespace convopt::bench
