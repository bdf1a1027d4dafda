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
  static const StringRef names[] = {"cuda.h",
                                    "cuda_runtime.h",
                                    "cuda_runtime_api.h",
                                    "vector_types.h",
                                    "vector_functions.h",
                                    "device_functions.h",
                                    "driver_types.h",
                                    "builtin_types.h",
                                    "device_launch_parameters.h",
                                    "cuda_fp16.h",
                                    "cuda_profiler_api.h",
                                    "math_constants.h",
                                    "host_defines.h",
                                    "device_types.h",
                                    "cuda_device_runtime_api.h",
                                    "math_functions.h",
                                    "cooperative_groups.h",
                                    "cuda_bf16.h",
                                    "cuda_pipeline.h",
                                    "cuda_pipeline_primitives.h"};
  return names;
}

static constexpr const char *stubText =
    R"(#pragma GCC system_header
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
#include <ctime>
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
CONVOPT_F1(truncf) CONVOPT_F1(cbrtf) CONVOPT_F1(acoshf) CONVOPT_F1(asinhf)
CONVOPT_F1(atanhf) CONVOPT_F1(erfcf) CONVOPT_F1(logbf) CONVOPT_F1(nearbyintf)
CONVOPT_F1(tgammaf) CONVOPT_F2(fdimf) CONVOPT_F2(hypotf)
CONVOPT_F2(nextafterf) CONVOPT_F2(remainderf) CONVOPT_F2(fmaxf)
CONVOPT_F2(fminf) CONVOPT_F2(powf) CONVOPT_F2(fmodf) CONVOPT_F2(atan2f)
CONVOPT_F2(copysignf)
__device__ long lrintf(float);
__device__ long lroundf(float);
__device__ long long llrintf(float);
__device__ long long llroundf(float);
__device__ int ilogbf(float);
__device__ float ldexpf(float, int);
__device__ float scalbnf(float, int);
// The toolkit's own have both.
__host__ float rsqrtf(float);
__host__ double rsqrt(double);
__device__ float fmaf(float, float, float);
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
#define CONVOPT_MINMAX_OF(T, A)                                                \
  __host__ __device__ T min(T, A);                                             \
  __host__ __device__ T min(A, T);                                             \
  __host__ __device__ T max(T, A);                                             \
  __host__ __device__ T max(A, T);
CONVOPT_MINMAX_OF(unsigned, int)
CONVOPT_MINMAX_OF(unsigned long, long)
CONVOPT_MINMAX_OF(unsigned long long, long long)
CONVOPT_MINMAX_OF(double, float)

typedef __SIZE_TYPE__ size_t;
#define CUDA_ON_CPU_GIVES(T, name, parameters, ...)                            \
  __host__ __device__ T name parameters;
#define CUDA_ON_CPU_DEVICE(T, name, parameters, value)                         \
  __device__ T name parameters;
)"
#include "cuda_on_cpu_types.inc"
    R"(
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ const int warpSize;
#define CONVOPT_HALF(H, H2)                                                    \
  struct H {                                                                   \
    unsigned short bits;                                                       \
    H() = default;                                                             \
    __host__ __device__ H(float);                                              \
    __host__ __device__ operator float() const;                                \
  };                                                                           \
  struct H2 { H x, y; };
CONVOPT_HALF(__half, __half2)
CONVOPT_HALF(__nv_bfloat16, __nv_bfloat162)

cudaError_t cudaConfigureCall(dim3, dim3, __SIZE_TYPE__ = 0,
                              cudaStream_t = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, __SIZE_TYPE__ = 0,
                                                void * = 0);
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **,
                                        __SIZE_TYPE__, cudaStream_t);
)"
#include "cuda_on_cpu_host_declared.inc"
    R"(const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
__device__ void __syncthreads();
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __trap();
__device__ long long clock64();
extern "C" {
__device__ long clock() noexcept;
__device__ int printf(const char *, ...);
__device__ void *malloc(__SIZE_TYPE__) noexcept;
__device__ void free(void *) noexcept;
__device__ void __assert_fail(const char *, const char *, unsigned,
                              const char *) noexcept;
__device__ void *memcpy(void *, const void *, __SIZE_TYPE__) noexcept;
__device__ void *memset(void *, int, __SIZE_TYPE__) noexcept;
}
__device__ double rsqrt(double);
__device__ void sincosf(float, float *, float *);
__device__ void sincos(double, double *, double *);
__device__ float exp10f(float);
__device__ double exp10(double);
__device__ int __syncthreads_or(int);
)"
#include "cuda_on_cpu_intrinsics_declared.inc"
    R"(
// The pointer alone says the type: `atomicAdd(unsigned*, 1)`.
template <class T> struct convopt_same { typedef T type; };
template <class T>
__device__ T atomicCAS(T *, typename convopt_same<T>::type,
                       typename convopt_same<T>::type);
#define CUDA_ON_CPU_CALL(name, parameters) cudaError_t name parameters;
#define CUDA_ON_CPU_THREADS(T, name, parameters) __device__ T name parameters;
#define CUDA_ON_CPU_ATOMIC(name, value)                                        \
  template <class T>                                                           \
  __device__ T name(T *, typename convopt_same<T>::type);                      \
  template <class T>                                                           \
  __device__ T name##_block(T *, typename convopt_same<T>::type);              \
  template <class T>                                                           \
  __device__ T name##_system(T *, typename convopt_same<T>::type);
)"
#include "cuda_on_cpu_beside.inc"
    R"(
CUDA_ON_CPU_NUMBERS(__half, half)
CUDA_ON_CPU_NUMBERS(__nv_bfloat16, bfloat16)
CUDA_ON_CPU_PAIRS(__half, __half2, half, half2)
CUDA_ON_CPU_PAIRS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
template <class T> __device__ const T &__ldg(const T *p) { return *p; }
template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);

__device__ void __pipeline_memcpy_async(void *, const void *, __SIZE_TYPE__,
                                        __SIZE_TYPE__ = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(__SIZE_TYPE__);

#undef CONVOPT_F1
#undef CONVOPT_F2
#undef CONVOPT_HALF
#undef CONVOPT_MINMAX
#undef CUDA_ON_CPU_ERRORS
)";

StringRef cudaStubText() { return stubText; }

StringRef cudaHeaderText(StringRef name) {
  return name == "cuda_fp16.h"   ? "typedef __half half;\n"
                                   "typedef __half2 half2;\n"
         : name == "cuda_bf16.h" ? "typedef __nv_bfloat16 nv_bfloat16;\n"
                                   "typedef __nv_bfloat162 nv_bfloat162;\n"
                                 : "";
}

static constexpr const char *ompText =
#include "omp_on_cpu.inc"
    ;

StringRef ompStubText() { return ompText; }

static constexpr const char *complexText =
#include "complex_on_cpu.inc"
    ;

StringRef complexStubText() { return complexText; }

} // namespace convopt
