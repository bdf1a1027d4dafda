//===- cuda_on_cpu_host.h - CUDA's runtime on the CPU -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of the runtime, which host code calls. Launches by a pointer are
/// errors, as nothing is known of the arguments. Text that cuda_on_cpu.h
/// includes; the front end parses CUDA with the same declarations.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_CUDA_ON_CPU_HOST_H
#define CONVOPT_VERIFY_CUDA_ON_CPU_HOST_H

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) {
  *s = new CUstream_st;
  (*s)->isBlocking = !(flags & cudaStreamNonBlocking);
  cuda_on_cpu::streams.all.insert(*s);
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t *s) {
  return cudaStreamCreateWithFlags(s, cudaStreamDefault);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags,
                                                int) {
  return cudaStreamCreateWithFlags(s, flags);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t s) {
  cuda_on_cpu::streams.finish(s);
  if (!cuda_on_cpu::streams.all.erase(s))
    return cuda_on_cpu::fail(cudaErrorInvalidResourceHandle);
  delete s;
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  cuda_on_cpu::streams.finish(s);
  return cuda_on_cpu::lastError;
}
inline cudaError_t cudaStreamQuery(cudaStream_t s) {
  return cudaStreamSynchronize(s);
}
inline cudaError_t cudaDeviceSynchronize() {
  cuda_on_cpu::streams.finishAll();
  return cuda_on_cpu::lastError;
}

inline cudaError_t cudaEventCreate(cudaEvent_t *e) {
  *e = new CUevent_st;
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) {
  return cudaEventCreate(e);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete e;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s = {}) {
  if (!e)
    return cuda_on_cpu::fail(cudaErrorInvalidResourceHandle);
  e->time = std::chrono::steady_clock::now();
  e->stream = s;
  e->after = s ? s->begun : 0;
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t e,
                                       unsigned = 0) {
  if (!e)
    return cuda_on_cpu::fail(cudaErrorInvalidResourceHandle);
  cuda_on_cpu::streams.finish(*e);
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return cudaStreamWaitEvent(nullptr, e);
}
inline cudaError_t cudaEventQuery(cudaEvent_t e) {
  return cudaEventSynchronize(e);
}
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from,
                                        cudaEvent_t to) {
  *ms = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Page-locked memory
//===----------------------------------------------------------------------===//

inline cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned) {
  auto &pinned = cuda_on_cpu::streams.pinned;
  const char *begin = static_cast<const char *>(p);
  auto next = pinned.upper_bound(begin);
  const bool meetsNext = next != pinned.end() && next->first < begin + bytes;
  const bool meetsLast =
      next != pinned.begin() &&
      std::prev(next)->first + std::prev(next)->second > begin;
  if (!p || !bytes || meetsNext || meetsLast)
    return cuda_on_cpu::fail(p && bytes ? cudaErrorHostMemoryAlreadyRegistered
                                        : cudaErrorInvalidValue);
  pinned[begin] = bytes;
  return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *p) {
  if (!cuda_on_cpu::streams.isIdle())
    cuda_on_cpu::fault("memory is unlocked while copies may still use it");
  return cuda_on_cpu::fail(
      cuda_on_cpu::streams.pinned.erase(static_cast<const char *>(p))
          ? cudaSuccess
          : cudaErrorHostMemoryNotRegistered);
}
template <class T>
cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned = 0) {
  *p = static_cast<T *>(std::malloc(bytes));
  if (!*p)
    return cuda_on_cpu::fail(cudaErrorMemoryAllocation);
  cuda_on_cpu::streams.pinned[reinterpret_cast<const char *>(*p)] = bytes;
  return cudaSuccess;
}
template <class T>
cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned flags) {
  return cudaMallocHost(p, bytes, flags);
}
inline cudaError_t cudaFreeHost(void *p) {
  cuda_on_cpu::streams.finishAll();
  cuda_on_cpu::streams.pinned.erase(static_cast<const char *>(p));
  std::free(p);
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

template <class T> cudaError_t cudaMalloc(T **p, size_t bytes) {
  *p = nullptr;
  if (!bytes)
    return cudaSuccess;
  *p = reinterpret_cast<T *>(cuda_on_cpu::memory.allocate(bytes));
  return cuda_on_cpu::fail(*p ? cudaSuccess : cudaErrorMemoryAllocation);
}
template <class T>
cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t = {}) {
  *p = nullptr;
  return bytes ? cudaMalloc(p, bytes)
               : cuda_on_cpu::fail(cudaErrorInvalidValue);
}

inline cudaError_t
cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) {
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                                     const cudaMemPoolProps *) {
  static char any;
  *pool = reinterpret_cast<cudaMemPool_t>(&any);
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr,
                                           void *) {
  return cudaSuccess;
}
inline cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes,
                                           cudaMemPool_t, cudaStream_t s) {
  return cudaMallocAsync(p, bytes, s);
}

template <class T>
cudaError_t cudaMallocManaged(T **p, size_t bytes, unsigned = 1) {
  return cudaMalloc(p, bytes);
}
inline cudaError_t cudaFree(void *p) {
  cuda_on_cpu::streams.finishAll();
  return cuda_on_cpu::fail(!p || cuda_on_cpu::memory.release(p)
                               ? cudaSuccess
                               : cudaErrorInvalidValue);
}
inline cudaError_t cudaFreeAsync(void *p, cudaStream_t s = {}) {
  cuda_on_cpu::streams.finish(s);
  return cuda_on_cpu::fail(p && cuda_on_cpu::memory.release(p)
                               ? cudaSuccess
                               : cudaErrorInvalidValue);
}

inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t s = {}) {
  const cuda_on_cpu::Memory &m = cuda_on_cpu::memory;
  if (!bytes)
    return cudaSuccess;
  if ((kind & 1 && kind != cudaMemcpyDefault && !m.holds(to, bytes)) ||
      (kind == cudaMemcpyDeviceToHost && !m.holds(from, bytes)) ||
      (kind == cudaMemcpyDeviceToDevice &&
       (!m.holds(from, bytes) || !m.holds(to, bytes))))
    return cuda_on_cpu::fail(cudaErrorInvalidValue);
  // The default stream's is made at once, like one that has to be staged.
  if (s && (cuda_on_cpu::streams.isPinned(to, bytes) ||
            cuda_on_cpu::streams.isPinned(from, bytes))) {
    s->add([=] { std::memmove(to, from, bytes); });
    return cudaSuccess;
  }
  cuda_on_cpu::streams.finish(s);
  std::memmove(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                              cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes,
                                   cudaStream_t s = {}) {
  cuda_on_cpu::streams.finish(s);
  if (!cuda_on_cpu::memory.holds(p, bytes))
    return cuda_on_cpu::fail(cudaErrorInvalidValue);
  std::memset(p, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void *p, int value, size_t bytes) {
  return cudaMemsetAsync(p, value, bytes);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                               size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
  if (offset > sizeof symbol || bytes > sizeof symbol - offset)
    return cuda_on_cpu::fail(cudaErrorInvalidValue);
  std::memcpy(reinterpret_cast<char *>(const_cast<T *>(&symbol)) + offset, from,
              bytes);
  return cudaSuccess;
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(
    const T &symbol, const void *from, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t s = {}) {
  cuda_on_cpu::streams.finish(s);
  if (kind == cudaMemcpyDeviceToDevice &&
      !cuda_on_cpu::memory.holds(from, bytes))
    return cuda_on_cpu::fail(cudaErrorInvalidValue);
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost,
                                      cudaStream_t s = {}) {
  cuda_on_cpu::streams.finish(s);
  if (offset > sizeof symbol || bytes > sizeof symbol - offset)
    return cuda_on_cpu::fail(cudaErrorInvalidValue);
  std::memcpy(to, reinterpret_cast<const char *>(&symbol) + offset, bytes);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                 size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
  *address = const_cast<void *>(static_cast<const void *>(&symbol));
  cuda_on_cpu::memory.know(*address, sizeof symbol);
  return cudaSuccess;
}
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

inline cudaError_t cudaPeekAtLastError() { return cuda_on_cpu::lastError; }
inline cudaError_t cudaGetLastError() {
  cudaError_t e = cuda_on_cpu::lastError;
  cuda_on_cpu::lastError = cudaSuccess;
  return e;
}

inline cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
  return cuda_on_cpu::fail(device ? cudaErrorInvalidDevice : cudaSuccess);
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  *p = {"CPU",
        size_t(1) << 34,
        49152,
        232448,
        65536,
        32,
        1024,
        1,
        {1024, 1024, 64},
        {INT_MAX, 65535, 65535},
        9,
        0};
  return cuda_on_cpu::fail(device ? cudaErrorInvalidDevice : cudaSuccess);
}
template <class F>
cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int) {
  return cudaSuccess;
}
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
