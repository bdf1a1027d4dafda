//===- cuda_on_cpu_host.h - Other functions of the runtime ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of the runtime that only the host code around kernels calls, which
/// has to compile. Launches by a pointer are errors, as nothing is known of the
/// arguments. Text that cuda_on_cpu.h includes.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_CUDA_ON_CPU_HOST_H
#define CONVOPT_VERIFY_CUDA_ON_CPU_HOST_H

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

constexpr unsigned cudaMemAttachGlobal = 1;
template <class T>
cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
  constexpr size_t unit = 512;
  *pitch = (width + unit - 1) / unit * unit;
  return cudaMalloc(p, *pitch * height);
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                                     size_t fromPitch, size_t width,
                                     size_t height, cudaMemcpyKind kind,
                                     cudaStream_t s = {}) {
  if (width > toPitch || width > fromPitch)
    return cuda_on_cpu::fail(cudaErrorInvalidValue);
  for (size_t row = 0; row != height; ++row)
    if (cudaError_t e = cudaMemcpyAsync(
            static_cast<char *>(to) + row * toPitch,
            static_cast<const char *>(from) + row * fromPitch, width, kind, s))
      return e;
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                                size_t fromPitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind);
}
inline cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width,
                                size_t height) {
  for (size_t row = 0; row != height; ++row)
    if (cudaError_t e =
            cudaMemset(static_cast<char *>(p) + row * pitch, value, width))
      return e;
  return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  *free = *total = size_t(1) << 34;
  return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int,
                                        cudaStream_t = {}) {
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
/// Memory stays: what the driver has is not the source's to free.
inline cudaError_t cudaDeviceReset() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int *version) {
  return cudaRuntimeGetVersion(version);
}

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                          int device) {
  cudaDeviceProp p;
  const cudaError_t e = cudaGetDeviceProperties(&p, device);
  *value = attribute == cudaDevAttrMaxThreadsPerBlock ? p.maxThreadsPerBlock
           : attribute == cudaDevAttrMaxSharedMemoryPerBlock
               ? int(p.sharedMemPerBlock)
           : attribute == cudaDevAttrWarpSize            ? p.warpSize
           : attribute == cudaDevAttrMultiProcessorCount ? p.multiProcessorCount
           : attribute == cudaDevAttrComputeCapabilityMajor ? p.major
           : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin
               ? int(p.sharedMemPerBlockOptin)
               : 0;
  return e;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}
template <class F> cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache) {
  return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *) {
  *a = {0, 0, 0, 1024, 0};
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int,
                                                          size_t) {
  *blocks = 1;
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F,
                                               size_t = 0, int limit = 0) {
  *grid = 1;
  *block = limit > 0 && limit < 1024 ? limit : 1024;
  return cudaSuccess;
}
template <class F>
cudaError_t cudaLaunchKernel(F *, dim3, dim3, void **, size_t = 0,
                             cudaStream_t = {}) {
  return cuda_on_cpu::fail(cudaErrorNotSupported);
}
template <class F>
cudaError_t cudaLaunchCooperativeKernel(F *, dim3, dim3, void **, size_t = 0,
                                        cudaStream_t = {}) {
  return cuda_on_cpu::fail(cudaErrorNotSupported);
}

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_HOST_H
