//===- CudaStubs.cpp - CUDA's names without CUDA --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Declarations enough to parse typical `.cu` files for the host. Nothing here
/// is ever compiled into anything.
///
//===----------------------------------------------------------------------===//

#include "Invocation.h"

using namespace llvm;

namespace convopt {

ArrayRef<StringRef> cudaHeaderNames() {
  static const StringRef names[] = {
      "cuda.h",          "cuda_runtime.h",      "cuda_runtime_api.h",
      "vector_types.h",  "vector_functions.h",  "device_functions.h",
      "driver_types.h",  "builtin_types.h",     "device_launch_parameters.h",
      "cuda_fp16.h",     "cuda_profiler_api.h", "math_constants.h",
      "host_defines.h",  "device_types.h",      "cuda_device_runtime_api.h",
      "math_functions.h"};
  return names;
}

static constexpr const char *stubText = R"(
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define CUDART_VERSION 12000
#define __CUDACC__ 1

#if __has_include(<cmath>)
#include <cmath>
#include <cstdlib>
#endif
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-inline"
#include <__clang_cuda_math_forward_declares.h>
#pragma clang diagnostic pop

#define CONVOPT_F1(f) __device__ float f(float);
#define CONVOPT_F2(f) __device__ float f(float, float);
CONVOPT_F1(fabsf) CONVOPT_F1(sqrtf) CONVOPT_F1(rsqrtf) CONVOPT_F1(expf)
CONVOPT_F1(exp2f) CONVOPT_F1(expm1f) CONVOPT_F1(logf) CONVOPT_F1(log2f)
CONVOPT_F1(log10f) CONVOPT_F1(log1pf) CONVOPT_F1(sinf) CONVOPT_F1(cosf)
CONVOPT_F1(tanf) CONVOPT_F1(sinhf) CONVOPT_F1(coshf) CONVOPT_F1(tanhf)
CONVOPT_F1(asinf) CONVOPT_F1(acosf) CONVOPT_F1(atanf) CONVOPT_F1(erff)
CONVOPT_F1(ceilf) CONVOPT_F1(floorf) CONVOPT_F1(roundf) CONVOPT_F1(rintf)
CONVOPT_F1(truncf) CONVOPT_F1(cbrtf) CONVOPT_F1(__expf) CONVOPT_F1(__logf)
CONVOPT_F2(fmaxf) CONVOPT_F2(fminf) CONVOPT_F2(powf) CONVOPT_F2(fmodf)
CONVOPT_F2(atan2f) CONVOPT_F2(copysignf) CONVOPT_F2(__fdividef)
__device__ float fmaf(float, float, float);
__device__ float __fmaf_rn(float, float, float);
#define CONVOPT_MINMAX(T)                                                      \
  __host__ __device__ T min(T, T);                                             \
  __host__ __device__ T max(T, T);
CONVOPT_MINMAX(int)
CONVOPT_MINMAX(unsigned)
CONVOPT_MINMAX(long)
CONVOPT_MINMAX(unsigned long)
CONVOPT_MINMAX(long long)
CONVOPT_MINMAX(unsigned long long)
CONVOPT_MINMAX(float)
CONVOPT_MINMAX(double)

#define CONVOPT_VECTOR(T, N)                                                   \
  struct N##1 { T x; };                                                        \
  struct N##2 { T x, y; };                                                     \
  struct N##3 { T x, y, z; };                                                  \
  struct N##4 { T x, y, z, w; };                                               \
  __host__ __device__ N##1 make_##N##1(T);                                     \
  __host__ __device__ N##2 make_##N##2(T, T);                                  \
  __host__ __device__ N##3 make_##N##3(T, T, T);                               \
  __host__ __device__ N##4 make_##N##4(T, T, T, T);
CONVOPT_VECTOR(char, char)
CONVOPT_VECTOR(unsigned char, uchar)
CONVOPT_VECTOR(short, short)
CONVOPT_VECTOR(int, int)
CONVOPT_VECTOR(unsigned, uint)
CONVOPT_VECTOR(float, float)
CONVOPT_VECTOR(double, double)
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ const int warpSize;
struct __half { unsigned short bits; };
typedef __half half;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1,
                 cudaErrorMemoryAllocation = 2,
                 cudaErrorInvalidConfiguration = 9, cudaErrorUnknown = 999 };
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice,
                      cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
                      cudaMemcpyDefault };
struct cudaDeviceProp {
  char name[256];
  __SIZE_TYPE__ totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3],
      maxGridSize[3], clockRate, major, minor, multiProcessorCount;
};
cudaError_t cudaConfigureCall(dim3, dim3, __SIZE_TYPE__ = 0,
                              cudaStream_t = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, __SIZE_TYPE__ = 0,
                                                void * = 0);
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **,
                                        __SIZE_TYPE__, cudaStream_t);
cudaError_t cudaMalloc(void **, __SIZE_TYPE__);
template <class T> cudaError_t cudaMalloc(T **, __SIZE_TYPE__);
cudaError_t cudaMallocHost(void **, __SIZE_TYPE__, unsigned = 0);
template <class T>
cudaError_t cudaMallocHost(T **, __SIZE_TYPE__, unsigned = 0);
template <class T>
cudaError_t cudaMallocManaged(T **, __SIZE_TYPE__, unsigned = 1);
cudaError_t cudaHostAlloc(void **, __SIZE_TYPE__, unsigned);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemcpy(void *, const void *, __SIZE_TYPE__, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, __SIZE_TYPE__,
                            cudaMemcpyKind, cudaStream_t = 0);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, __SIZE_TYPE__,
                               __SIZE_TYPE__ = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemset(void *, int, __SIZE_TYPE__);
cudaError_t cudaMemsetAsync(void *, int, __SIZE_TYPE__, cudaStream_t = 0);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
                         cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
template <class T>
cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);

__device__ void __syncthreads();
__device__ void __syncwarp(unsigned = 0xffffffff);
__device__ void __threadfence();
template <class T> __device__ T atomicAdd(T *, T);
template <class T> __device__ T atomicMax(T *, T);
template <class T> __device__ T atomicMin(T *, T);
template <class T> __device__ T atomicCAS(T *, T, T);
template <class T> __device__ T __ldg(const T *);
template <class T> __device__ T __shfl_down_sync(unsigned, T, unsigned,
                                                 int = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);
#undef CONVOPT_F1
#undef CONVOPT_F2
#undef CONVOPT_MINMAX
#undef CONVOPT_VECTOR
)";

StringRef cudaStubText() { return stubText; }

} // namespace convopt
