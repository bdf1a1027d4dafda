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
#include <cstdlib>
#include <cstring>
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
CONVOPT_F1(truncf) CONVOPT_F1(cbrtf) CONVOPT_F1(__expf) CONVOPT_F1(__logf)
CONVOPT_F1(acoshf) CONVOPT_F1(asinhf) CONVOPT_F1(atanhf) CONVOPT_F1(erfcf)
CONVOPT_F1(logbf) CONVOPT_F1(nearbyintf) CONVOPT_F1(tgammaf)
CONVOPT_F2(fdimf) CONVOPT_F2(hypotf) CONVOPT_F2(nextafterf)
CONVOPT_F2(remainderf)
__device__ long lrintf(float);
__device__ long lroundf(float);
__device__ long long llrintf(float);
__device__ long long llroundf(float);
__device__ int ilogbf(float);
__device__ float ldexpf(float, int);
__device__ float scalbnf(float, int);
CONVOPT_F2(fmaxf) CONVOPT_F2(fminf) CONVOPT_F2(powf) CONVOPT_F2(fmodf)
CONVOPT_F2(atan2f) CONVOPT_F2(copysignf) CONVOPT_F2(__fdividef)
CONVOPT_F2(__powf) CONVOPT_F2(__fadd_rn) CONVOPT_F2(__fsub_rn)
CONVOPT_F2(__fmul_rn) CONVOPT_F2(__fdiv_rn) CONVOPT_F1(__frcp_rn)
CONVOPT_F1(__fsqrt_rn) CONVOPT_F1(__saturatef) CONVOPT_F1(__sinf)
CONVOPT_F1(__cosf) CONVOPT_F1(__tanf) CONVOPT_F1(__exp10f) CONVOPT_F1(__log2f)
CONVOPT_F1(__log10f)
// The toolkit's own have both.
__host__ float rsqrtf(float);
__host__ double rsqrt(double);
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
#define CONVOPT_MINMAX_OF(T, A)                                                \
  __host__ __device__ T min(T, A);                                             \
  __host__ __device__ T min(A, T);                                             \
  __host__ __device__ T max(T, A);                                             \
  __host__ __device__ T max(A, T);
CONVOPT_MINMAX_OF(unsigned, int)
CONVOPT_MINMAX_OF(unsigned long, long)
CONVOPT_MINMAX_OF(unsigned long long, long long)
CONVOPT_MINMAX_OF(double, float)

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
CONVOPT_VECTOR(unsigned short, ushort)
CONVOPT_VECTOR(int, int)
CONVOPT_VECTOR(unsigned, uint)
CONVOPT_VECTOR(long, long)
CONVOPT_VECTOR(unsigned long, ulong)
CONVOPT_VECTOR(long long, longlong)
CONVOPT_VECTOR(unsigned long long, ulonglong)
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
#define CONVOPT_HALF(H, H2, F)                                                 \
  struct H {                                                                   \
    unsigned short bits;                                                       \
    H() = default;                                                             \
    __host__ __device__ H(float);                                              \
    __host__ __device__ operator float() const;                                \
  };                                                                           \
  struct H2 { H x, y; };                                                       \
  __host__ __device__ H operator+(H, H);                                       \
  __host__ __device__ H operator-(H, H);                                       \
  __host__ __device__ H operator*(H, H);                                       \
  __host__ __device__ H operator/(H, H);                                       \
  __host__ __device__ H operator-(H);                                          \
  __host__ __device__ H &operator+=(H &, H);                                   \
  __host__ __device__ H &operator-=(H &, H);                                   \
  __host__ __device__ H &operator*=(H &, H);                                   \
  __host__ __device__ bool operator<(H, H);                                    \
  __host__ __device__ bool operator>(H, H);                                    \
  __host__ __device__ bool operator<=(H, H);                                   \
  __host__ __device__ bool operator>=(H, H);                                   \
  __host__ __device__ bool operator==(H, H);                                   \
  __host__ __device__ bool operator!=(H, H);                                   \
  __host__ __device__ H __float2##F(float);                                    \
  __host__ __device__ H __float2##F##_rn(float);                               \
  __host__ __device__ float __##F##2float(H);                                  \
  __device__ H __hadd(H, H);                                                   \
  __device__ H __hsub(H, H);                                                   \
  __device__ H __hmul(H, H);                                                   \
  __device__ H __hdiv(H, H);                                                   \
  __device__ H __hfma(H, H, H);                                                \
  __device__ bool __hlt(H, H);                                                 \
  __device__ bool __hle(H, H);                                                 \
  __device__ bool __hgt(H, H);                                                 \
  __device__ bool __hge(H, H);                                                 \
  __device__ bool __heq(H, H);                                                 \
  __device__ H __hmax(H, H);                                                   \
  __device__ H __hmin(H, H);
CONVOPT_HALF(__half, __half2, half)
CONVOPT_HALF(__nv_bfloat16, __nv_bfloat162, bfloat16)

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
)"
#include "cuda_on_cpu_types.inc"
    R"(enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0,
       cudaEventBlockingSync = 1, cudaEventDisableTiming = 2,
       cudaHostAllocDefault = 0, cudaHostAllocPortable = 1,
       cudaHostAllocMapped = 2, cudaMemAttachGlobal = 1 };
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
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, __SIZE_TYPE__,
                                    __SIZE_TYPE__ = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice,
                                    cudaStream_t = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, __SIZE_TYPE__,
                                 __SIZE_TYPE__ = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *, const T &, __SIZE_TYPE__,
                                      __SIZE_TYPE__ = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost,
                                      cudaStream_t = 0);
template <class T> cudaError_t cudaGetSymbolAddress(void **, const T &);
template <class T>
cudaError_t cudaMallocPitch(T **, __SIZE_TYPE__ *, __SIZE_TYPE__,
                            __SIZE_TYPE__);
template <class T>
cudaError_t cudaMallocAsync(T **, __SIZE_TYPE__, cudaStream_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
struct CUmemPoolHandler_st;
typedef CUmemPoolHandler_st *cudaMemPool_t;
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *, const cudaMemPoolProps *);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *);
cudaError_t cudaMallocFromPoolAsync(void **, __SIZE_TYPE__, cudaMemPool_t,
                                    cudaStream_t);
template <class T> cudaError_t cudaHostAlloc(T **, __SIZE_TYPE__, unsigned);
cudaError_t cudaHostRegister(void *, __SIZE_TYPE__, unsigned);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaMemcpy2D(void *, __SIZE_TYPE__, const void *, __SIZE_TYPE__,
                         __SIZE_TYPE__, __SIZE_TYPE__, cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, __SIZE_TYPE__, const void *,
                              __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__,
                              cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemset2D(void *, __SIZE_TYPE__, int, __SIZE_TYPE__,
                         __SIZE_TYPE__);
cudaError_t cudaMemGetInfo(__SIZE_TYPE__ *, __SIZE_TYPE__ *);
cudaError_t cudaMemPrefetchAsync(const void *, __SIZE_TYPE__, int,
                                 cudaStream_t = 0);
cudaError_t cudaMemset(void *, int, __SIZE_TYPE__);
cudaError_t cudaMemsetAsync(void *, int, __SIZE_TYPE__, cudaStream_t = 0);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize(); // up to CUDA 12
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaDriverGetVersion(int *);
template <class T>
cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int);
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache);
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, T *);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int,
                                                          __SIZE_TYPE__);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T,
                                               __SIZE_TYPE__ = 0, int = 0);
template <class T>
cudaError_t cudaLaunchKernel(T *, dim3, dim3, void **, __SIZE_TYPE__ = 0,
                             cudaStream_t = 0);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *, dim3, dim3, void **,
                                        __SIZE_TYPE__ = 0, cudaStream_t = 0);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);

__device__ void __syncthreads();
__device__ void __syncwarp(unsigned = 0xffffffff);
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
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ unsigned __activemask();
__device__ unsigned __ballot_sync(unsigned, int);
__device__ int __any_sync(unsigned, int);
__device__ int __all_sync(unsigned, int);
__device__ int __popc(unsigned);
__device__ int __clz(int);
__device__ int __ffs(int);
__device__ int __popcll(unsigned long long);
__device__ int __clzll(long long);
__device__ int __ffsll(long long);
__device__ int __mul24(int, int);
__device__ unsigned __umul24(unsigned, unsigned);
__device__ int __mulhi(int, int);
__device__ unsigned __umulhi(unsigned, unsigned);
__device__ unsigned __brev(unsigned);
__device__ int __dp4a(int, int, int);
__device__ unsigned __dp4a(unsigned, unsigned, unsigned);
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned);
__device__ unsigned __sad(int, int, unsigned);
__device__ unsigned __usad(unsigned, unsigned, unsigned);
__device__ unsigned __vabsdiffu4(unsigned, unsigned);
__device__ unsigned __vsadu4(unsigned, unsigned);
__device__ float __int2float_rn(int);
__device__ float __uint2float_rn(unsigned);
#define CONVOPT_TO_INTEGER(name, F, T)                                         \
  __device__ T name##_rn(F);                                                   \
  __device__ T name##_rd(F);                                                   \
  __device__ T name##_ru(F);                                                   \
  __device__ T name##_rz(F);
CONVOPT_TO_INTEGER(__float2int, float, int)
CONVOPT_TO_INTEGER(__float2uint, float, unsigned)
CONVOPT_TO_INTEGER(__double2int, double, int)
CONVOPT_TO_INTEGER(__double2uint, double, unsigned)
__device__ float __int_as_float(int);
__device__ int __float_as_int(float);
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
    R"(CUDA_ON_CPU_PAIRS(__half, __half2, half, half2)
CUDA_ON_CPU_PAIRS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
template <class T> __device__ const T &__ldg(const T *p) { return *p; }
template <class T> __device__ T __shfl_sync(unsigned, T, int, int = 32);
template <class T> __device__ T __shfl_up_sync(unsigned, T, unsigned,
                                               int = 32);
template <class T> __device__ T __shfl_down_sync(unsigned, T, unsigned,
                                                 int = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);

__device__ void __pipeline_memcpy_async(void *, const void *, __SIZE_TYPE__,
                                        __SIZE_TYPE__ = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(__SIZE_TYPE__);

namespace cooperative_groups {
struct thread_group {
  __device__ void sync() const;
  __device__ unsigned size() const;
  __device__ unsigned num_threads() const;
  __device__ unsigned thread_rank() const;
};
struct thread_block : thread_group {
  __device__ static dim3 group_index();
  __device__ static dim3 thread_index();
  __device__ static dim3 group_dim();
};
struct grid_group : thread_group {
  __device__ bool is_valid() const;
};
template <unsigned N> struct thread_block_tile : thread_group {
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_down(T, unsigned) const;
  template <class T> __device__ T shfl_xor(T, unsigned) const;
  __device__ unsigned meta_group_rank() const;
};
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
template <unsigned N>
__device__ thread_block_tile<N> tiled_partition(const thread_block &);
template <class G> __device__ void sync(const G &);
}
#undef CONVOPT_F1
#undef CONVOPT_F2
#undef CONVOPT_HALF
#undef CONVOPT_MINMAX
#undef CONVOPT_TO_INTEGER
#undef CONVOPT_VECTOR
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
