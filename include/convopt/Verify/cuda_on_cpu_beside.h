//===- cuda_on_cpu_beside.h - What stands beside a nest in CUDA -*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What other kernels and hosts call, and no nest does: the front end parses
/// CUDA with the same. The file that includes it says what a call is:
///
/// Libraries of hosts have sincos and exp10.
///
///   CUDA_ON_CPU_CALL(name, parameters)             of the host
///   CUDA_ON_CPU_THREADS(T, name, parameters)       of threads, with a result
///   CUDA_ON_CPU_ATOMIC(name, value)                of what is there, a, and b
///   CUDA_ON_CPU_DEVICE(T, name, parameters, value) of threads, and runs
///   CUDA_ON_CPU_GIVES(T, name, parameters, value)  of the host, too
///
//===----------------------------------------------------------------------===//

// Calls of macros end without a semicolon.
// clang-format off

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

CUDA_ON_CPU_CALL(cudaMallocArray,
                 (cudaArray_t *, const cudaChannelFormatDesc *, __SIZE_TYPE__,
                  __SIZE_TYPE__ = 0, unsigned = 0))
CUDA_ON_CPU_CALL(cudaMalloc3D, (cudaPitchedPtr *, cudaExtent))
CUDA_ON_CPU_CALL(cudaMalloc3DArray,
                 (cudaArray_t *, const cudaChannelFormatDesc *, cudaExtent,
                  unsigned = 0))
CUDA_ON_CPU_CALL(cudaFreeArray, (cudaArray_t))
CUDA_ON_CPU_CALL(cudaMemcpy3D, (const cudaMemcpy3DParms *))
CUDA_ON_CPU_CALL(cudaMemcpy3DAsync,
                 (const cudaMemcpy3DParms *, cudaStream_t = 0))
CUDA_ON_CPU_CALL(cudaMemcpyToArray,
                 (cudaArray_t, __SIZE_TYPE__, __SIZE_TYPE__, const void *,
                  __SIZE_TYPE__, cudaMemcpyKind))
CUDA_ON_CPU_CALL(cudaMemcpyFromArray,
                 (void *, cudaArray_const_t, __SIZE_TYPE__, __SIZE_TYPE__,
                  __SIZE_TYPE__, cudaMemcpyKind))
CUDA_ON_CPU_CALL(cudaMemcpy2DToArray,
                 (cudaArray_t, __SIZE_TYPE__, __SIZE_TYPE__, const void *,
                  __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, cudaMemcpyKind))
CUDA_ON_CPU_CALL(cudaMemcpy2DFromArray,
                 (void *, __SIZE_TYPE__, cudaArray_const_t, __SIZE_TYPE__,
                  __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, cudaMemcpyKind))
CUDA_ON_CPU_CALL(cudaMemcpyPeer,
                 (void *, int, const void *, int, __SIZE_TYPE__))
CUDA_ON_CPU_CALL(cudaMemcpyPeerAsync, (void *, int, const void *, int,
                                       __SIZE_TYPE__, cudaStream_t = 0))
CUDA_ON_CPU_CALL(cudaMemset2DAsync,
                 (void *, __SIZE_TYPE__, int, __SIZE_TYPE__, __SIZE_TYPE__,
                  cudaStream_t = 0))
CUDA_ON_CPU_CALL(cudaMemset3D, (cudaPitchedPtr, int, cudaExtent))
CUDA_ON_CPU_CALL(cudaMemAdvise,
                 (const void *, __SIZE_TYPE__, cudaMemoryAdvise, int))
CUDA_ON_CPU_CALL(cudaStreamAttachMemAsync,
                 (cudaStream_t, void *, __SIZE_TYPE__ = 0, unsigned = 4))
CUDA_ON_CPU_CALL(cudaHostGetDevicePointer, (void **, void *, unsigned))
template <class T>
CUDA_ON_CPU_CALL(cudaHostGetDevicePointer, (T **, void *, unsigned))
CUDA_ON_CPU_CALL(cudaHostGetFlags, (unsigned *, void *))
CUDA_ON_CPU_CALL(cudaPointerGetAttributes,
                 (cudaPointerAttributes *, const void *))
template <class T>
CUDA_ON_CPU_CALL(cudaGetSymbolSize, (__SIZE_TYPE__ *, const T &))
CUDA_ON_CPU_CALL(cudaIpcGetMemHandle, (cudaIpcMemHandle_t *, void *))
CUDA_ON_CPU_CALL(cudaIpcOpenMemHandle, (void **, cudaIpcMemHandle_t, unsigned))
CUDA_ON_CPU_CALL(cudaIpcCloseMemHandle, (void *))

CUDA_ON_CPU_CALL(cudaCreateTextureObject,
                 (cudaTextureObject_t *, const cudaResourceDesc *,
                  const cudaTextureDesc *, const cudaResourceViewDesc *))
CUDA_ON_CPU_CALL(cudaDestroyTextureObject, (cudaTextureObject_t))
CUDA_ON_CPU_CALL(cudaCreateSurfaceObject,
                 (cudaSurfaceObject_t *, const cudaResourceDesc *))
CUDA_ON_CPU_CALL(cudaDestroySurfaceObject, (cudaSurfaceObject_t))

CUDA_ON_CPU_CALL(cudaChooseDevice, (int *, const cudaDeviceProp *))
CUDA_ON_CPU_CALL(cudaSetDeviceFlags, (unsigned))
CUDA_ON_CPU_CALL(cudaDeviceSetLimit, (cudaLimit, __SIZE_TYPE__))
CUDA_ON_CPU_CALL(cudaDeviceGetLimit, (__SIZE_TYPE__ *, cudaLimit))
CUDA_ON_CPU_CALL(cudaDeviceGetStreamPriorityRange, (int *, int *))
CUDA_ON_CPU_CALL(cudaDeviceCanAccessPeer, (int *, int, int))
CUDA_ON_CPU_CALL(cudaDeviceEnablePeerAccess, (int, unsigned))
CUDA_ON_CPU_CALL(cudaDeviceDisablePeerAccess, (int))
CUDA_ON_CPU_CALL(cudaDeviceGetPCIBusId, (char *, int, int))

CUDA_ON_CPU_CALL(cudaStreamAddCallback,
                 (cudaStream_t,
                  void (*)(cudaStream_t, cudaError_t, void *), void *,
                  unsigned))
CUDA_ON_CPU_CALL(cudaLaunchHostFunc,
                 (cudaStream_t, void (*)(void *), void *))
CUDA_ON_CPU_CALL(cudaStreamBeginCapture, (cudaStream_t, cudaStreamCaptureMode))
CUDA_ON_CPU_CALL(cudaStreamEndCapture, (cudaStream_t, cudaGraph_t *))
CUDA_ON_CPU_CALL(cudaStreamIsCapturing,
                 (cudaStream_t, cudaStreamCaptureStatus *))
CUDA_ON_CPU_CALL(cudaGraphCreate, (cudaGraph_t *, unsigned))
CUDA_ON_CPU_CALL(cudaGraphInstantiate,
                 (cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0))
CUDA_ON_CPU_CALL(cudaGraphInstantiate,
                 (cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *,
                  __SIZE_TYPE__))
CUDA_ON_CPU_CALL(cudaGraphLaunch, (cudaGraphExec_t, cudaStream_t))
CUDA_ON_CPU_CALL(cudaGraphDestroy, (cudaGraph_t))
CUDA_ON_CPU_CALL(cudaGraphExecDestroy, (cudaGraphExec_t))

//===----------------------------------------------------------------------===//
// Textures
//===----------------------------------------------------------------------===//

template <class T>
CUDA_ON_CPU_THREADS(T, tex1Dfetch, (cudaTextureObject_t, int))
template <class T>
CUDA_ON_CPU_THREADS(T, tex1D, (cudaTextureObject_t, float))
template <class T>
CUDA_ON_CPU_THREADS(T, tex2D, (cudaTextureObject_t, float, float))
template <class T>
CUDA_ON_CPU_THREADS(T, tex3D, (cudaTextureObject_t, float, float, float))
template <class T>
CUDA_ON_CPU_THREADS(T, tex2DLayered, (cudaTextureObject_t, float, float, int))
template <class T>
CUDA_ON_CPU_THREADS(T, tex2DLod, (cudaTextureObject_t, float, float, float))
template <class T>
CUDA_ON_CPU_THREADS(T, surf2Dread, (cudaSurfaceObject_t, int, int))
template <class T>
CUDA_ON_CPU_THREADS(void, surf2Dread, (T *, cudaSurfaceObject_t, int, int))
template <class T>
CUDA_ON_CPU_THREADS(void, surf2Dwrite, (T, cudaSurfaceObject_t, int, int))

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

CUDA_ON_CPU_ATOMIC(atomicAdd, a + b)
CUDA_ON_CPU_ATOMIC(atomicSub, a - b)
CUDA_ON_CPU_ATOMIC(atomicMax, a < b ? b : a)
CUDA_ON_CPU_ATOMIC(atomicMin, b < a ? b : a)
CUDA_ON_CPU_ATOMIC(atomicExch, (void(a), b))
CUDA_ON_CPU_ATOMIC(atomicOr, a | b)
CUDA_ON_CPU_ATOMIC(atomicAnd, a & b)
CUDA_ON_CPU_ATOMIC(atomicXor, a ^ b)
CUDA_ON_CPU_ATOMIC(atomicInc, a < b ? a + 1 : 0)
CUDA_ON_CPU_ATOMIC(atomicDec, a == 0 || b < a ? b : a - 1)

CUDA_ON_CPU_THREADS(void, __syncwarp, (unsigned = 0xffffffff))
CUDA_ON_CPU_THREADS(int, __syncthreads_count, (int))
CUDA_ON_CPU_THREADS(int, __syncthreads_and, (int))
CUDA_ON_CPU_THREADS(unsigned, __activemask, ())
CUDA_ON_CPU_THREADS(unsigned, __ballot_sync, (unsigned, int))
CUDA_ON_CPU_THREADS(int, __any_sync, (unsigned, int))
CUDA_ON_CPU_THREADS(int, __all_sync, (unsigned, int))
template <class T>
CUDA_ON_CPU_THREADS(T, __shfl_sync, (unsigned, T, int, int = 32))
template <class T>
CUDA_ON_CPU_THREADS(T, __shfl_up_sync, (unsigned, T, unsigned, int = 32))
template <class T>
CUDA_ON_CPU_THREADS(T, __shfl_down_sync, (unsigned, T, unsigned, int = 32))

namespace cooperative_groups {
struct thread_group {
  CUDA_ON_CPU_THREADS(void, sync, () const)
  CUDA_ON_CPU_THREADS(unsigned, size, () const)
  CUDA_ON_CPU_THREADS(unsigned, num_threads, () const)
  CUDA_ON_CPU_THREADS(unsigned, thread_rank, () const)
};
struct thread_block : thread_group {
  CUDA_ON_CPU_THREADS(static dim3, group_index, ())
  CUDA_ON_CPU_THREADS(static dim3, thread_index, ())
  CUDA_ON_CPU_THREADS(static dim3, group_dim, ())
};
struct grid_group : thread_group {
  CUDA_ON_CPU_THREADS(bool, is_valid, () const)
};
template <unsigned N> struct thread_block_tile : thread_group {
  template <class T> CUDA_ON_CPU_THREADS(T, shfl, (T, int) const)
  template <class T> CUDA_ON_CPU_THREADS(T, shfl_down, (T, unsigned) const)
  template <class T> CUDA_ON_CPU_THREADS(T, shfl_xor, (T, unsigned) const)
  CUDA_ON_CPU_THREADS(unsigned, meta_group_rank, () const)
};
CUDA_ON_CPU_GIVES(thread_block, this_thread_block, (), {})
CUDA_ON_CPU_GIVES(grid_group, this_grid, (), {})
template <unsigned N>
CUDA_ON_CPU_GIVES(thread_block_tile<N>, tiled_partition,
                  (const thread_block &), {})
template <class G> CUDA_ON_CPU_THREADS(void, sync, (const G &))
} // namespace cooperative_groups

CUDA_ON_CPU_THREADS(void, __threadfence_system, ())
CUDA_ON_CPU_THREADS(void, __nanosleep, (unsigned))
CUDA_ON_CPU_THREADS(void, __brkpt, ())
CUDA_ON_CPU_THREADS(void, __prof_trigger, (int))
CUDA_ON_CPU_THREADS(unsigned, __fns, (unsigned, unsigned, int))
CUDA_ON_CPU_THREADS(unsigned, __reduce_add_sync, (unsigned, unsigned))
CUDA_ON_CPU_THREADS(unsigned, __reduce_min_sync, (unsigned, unsigned))
CUDA_ON_CPU_THREADS(unsigned, __reduce_max_sync, (unsigned, unsigned))
CUDA_ON_CPU_THREADS(int, __reduce_add_sync, (unsigned, int))
CUDA_ON_CPU_THREADS(int, __reduce_min_sync, (unsigned, int))
CUDA_ON_CPU_THREADS(int, __reduce_max_sync, (unsigned, int))
CUDA_ON_CPU_THREADS(unsigned, __reduce_and_sync, (unsigned, unsigned))
CUDA_ON_CPU_THREADS(unsigned, __reduce_or_sync, (unsigned, unsigned))
CUDA_ON_CPU_THREADS(unsigned, __reduce_xor_sync, (unsigned, unsigned))
template <class T>
CUDA_ON_CPU_THREADS(unsigned, __match_any_sync, (unsigned, T))
template <class T>
CUDA_ON_CPU_THREADS(unsigned, __match_all_sync, (unsigned, T, int *))

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <class T> CUDA_ON_CPU_THREADS(T, __ldcg, (const T *))
template <class T> CUDA_ON_CPU_THREADS(T, __ldca, (const T *))
template <class T> CUDA_ON_CPU_THREADS(T, __ldcs, (const T *))
template <class T> CUDA_ON_CPU_THREADS(T, __ldlu, (const T *))
template <class T> CUDA_ON_CPU_THREADS(T, __ldcv, (const T *))
template <class T> CUDA_ON_CPU_THREADS(void, __stcg, (T *, T))
template <class T> CUDA_ON_CPU_THREADS(void, __stcs, (T *, T))
template <class T> CUDA_ON_CPU_THREADS(void, __stwb, (T *, T))
template <class T> CUDA_ON_CPU_THREADS(void, __stwt, (T *, T))

#define CUDA_ON_CPU_VALUE1(T, name) CUDA_ON_CPU_THREADS(T, name, (T))
#define CUDA_ON_CPU_VALUE2(T, name) CUDA_ON_CPU_THREADS(T, name, (T, T))
#define CUDA_ON_CPU_VALUE3(T, name) CUDA_ON_CPU_THREADS(T, name, (T, T, T))
#define CUDA_ON_CPU_TWO(T, name) CUDA_ON_CPU_THREADS(void, name, (T, T *, T *))
CUDA_ON_CPU_TWO(float, sincospif)
CUDA_ON_CPU_TWO(float, __sincosf)
CUDA_ON_CPU_TWO(double, sincospi)
CUDA_ON_CPU_VALUE1(float, sinpif)
CUDA_ON_CPU_VALUE1(float, cospif)
CUDA_ON_CPU_VALUE1(float, rcbrtf)
CUDA_ON_CPU_VALUE1(float, erfinvf)
CUDA_ON_CPU_VALUE1(float, erfcinvf)
CUDA_ON_CPU_VALUE1(float, erfcxf)
CUDA_ON_CPU_VALUE1(float, normcdff)
CUDA_ON_CPU_VALUE1(float, normcdfinvf)
CUDA_ON_CPU_VALUE1(float, __frsqrt_rn)
CUDA_ON_CPU_VALUE2(float, rhypotf)
CUDA_ON_CPU_VALUE2(float, fdividef)
CUDA_ON_CPU_VALUE3(float, norm3df)
CUDA_ON_CPU_VALUE3(float, rnorm3df)
CUDA_ON_CPU_THREADS(float, norm4df, (float, float, float, float))
CUDA_ON_CPU_VALUE1(double, sinpi)
CUDA_ON_CPU_VALUE1(double, cospi)
CUDA_ON_CPU_VALUE1(double, rcbrt)
CUDA_ON_CPU_VALUE1(double, erfinv)
CUDA_ON_CPU_VALUE1(double, erfcinv)
CUDA_ON_CPU_VALUE1(double, erfcx)
CUDA_ON_CPU_VALUE1(double, normcdf)
CUDA_ON_CPU_VALUE1(double, normcdfinv)
CUDA_ON_CPU_VALUE2(double, rhypot)
CUDA_ON_CPU_VALUE3(double, norm3d)
CUDA_ON_CPU_VALUE3(double, rnorm3d)
CUDA_ON_CPU_THREADS(double, norm4d, (double, double, double, double))

#define CUDA_ON_CPU_MODES(VALUE, T, name)                                      \
  VALUE(T, name##_rz) VALUE(T, name##_ru) VALUE(T, name##_rd)
CUDA_ON_CPU_MODES(CUDA_ON_CPU_VALUE2, float, __fadd)
CUDA_ON_CPU_MODES(CUDA_ON_CPU_VALUE2, float, __fsub)
CUDA_ON_CPU_MODES(CUDA_ON_CPU_VALUE2, float, __fmul)
CUDA_ON_CPU_MODES(CUDA_ON_CPU_VALUE2, float, __fdiv)
CUDA_ON_CPU_MODES(CUDA_ON_CPU_VALUE1, float, __frcp)
CUDA_ON_CPU_MODES(CUDA_ON_CPU_VALUE1, float, __fsqrt)
CUDA_ON_CPU_MODES(CUDA_ON_CPU_VALUE3, float, __fmaf)
#define CUDA_ON_CPU_ALL_MODES(VALUE, name)                                     \
  VALUE(double, name##_rn) CUDA_ON_CPU_MODES(VALUE, double, name)
CUDA_ON_CPU_ALL_MODES(CUDA_ON_CPU_VALUE2, __dadd)
CUDA_ON_CPU_ALL_MODES(CUDA_ON_CPU_VALUE2, __dsub)
CUDA_ON_CPU_ALL_MODES(CUDA_ON_CPU_VALUE2, __dmul)
CUDA_ON_CPU_ALL_MODES(CUDA_ON_CPU_VALUE2, __ddiv)
CUDA_ON_CPU_ALL_MODES(CUDA_ON_CPU_VALUE1, __drcp)
CUDA_ON_CPU_ALL_MODES(CUDA_ON_CPU_VALUE1, __dsqrt)
CUDA_ON_CPU_ALL_MODES(CUDA_ON_CPU_VALUE3, __fma)

CUDA_ON_CPU_THREADS(double, __longlong_as_double, (long long))
CUDA_ON_CPU_THREADS(long long, __double_as_longlong, (double))
CUDA_ON_CPU_THREADS(unsigned, __float_as_uint, (float))
CUDA_ON_CPU_THREADS(float, __uint_as_float, (unsigned))
CUDA_ON_CPU_THREADS(int, __double2loint, (double))
CUDA_ON_CPU_THREADS(int, __double2hiint, (double))
CUDA_ON_CPU_THREADS(double, __hiloint2double, (int, int))
CUDA_ON_CPU_THREADS(float, __double2float_rn, (double))
CUDA_ON_CPU_THREADS(float, __double2float_rz, (double))
CUDA_ON_CPU_THREADS(double, __int2double_rn, (int))
CUDA_ON_CPU_THREADS(double, __uint2double_rn, (unsigned))
CUDA_ON_CPU_THREADS(float, __int2float_rz, (int))
CUDA_ON_CPU_THREADS(float, __ll2float_rn, (long long))
CUDA_ON_CPU_THREADS(double, __ll2double_rn, (long long))
CUDA_ON_CPU_THREADS(long long, __float2ll_rn, (float))
CUDA_ON_CPU_THREADS(long long, __double2ll_rn, (double))

CUDA_ON_CPU_VALUE1(unsigned long long, __brevll)
CUDA_ON_CPU_VALUE2(long long, __mul64hi)
CUDA_ON_CPU_VALUE2(unsigned long long, __umul64hi)
CUDA_ON_CPU_VALUE2(int, __hadd)
CUDA_ON_CPU_VALUE2(int, __rhadd)
CUDA_ON_CPU_VALUE2(unsigned, __uhadd)
CUDA_ON_CPU_VALUE3(unsigned, __funnelshift_l)
CUDA_ON_CPU_VALUE3(unsigned, __funnelshift_r)
CUDA_ON_CPU_VALUE3(unsigned, __funnelshift_lc)
CUDA_ON_CPU_VALUE3(unsigned, __funnelshift_rc)
CUDA_ON_CPU_THREADS(int, __dp2a_lo, (int, int, int))
CUDA_ON_CPU_THREADS(int, __dp2a_hi, (int, int, int))
#define CUDA_ON_CPU_LANES(name)                                                \
  CUDA_ON_CPU_VALUE2(unsigned, name##2)                                        \
  CUDA_ON_CPU_VALUE2(unsigned, name##4)
CUDA_ON_CPU_LANES(__vadd)
CUDA_ON_CPU_LANES(__vsub)
CUDA_ON_CPU_LANES(__vaddss)
CUDA_ON_CPU_LANES(__vaddus)
CUDA_ON_CPU_LANES(__vsubss)
CUDA_ON_CPU_LANES(__vsubus)
CUDA_ON_CPU_LANES(__vavgs)
CUDA_ON_CPU_LANES(__vavgu)
CUDA_ON_CPU_LANES(__vmaxs)
CUDA_ON_CPU_LANES(__vmaxu)
CUDA_ON_CPU_LANES(__vmins)
CUDA_ON_CPU_LANES(__vminu)
CUDA_ON_CPU_LANES(__vcmpeq)
CUDA_ON_CPU_LANES(__vcmpgts)
CUDA_ON_CPU_LANES(__vcmpgtu)
CUDA_ON_CPU_LANES(__vabsdiffs)
CUDA_ON_CPU_LANES(__vsads)

#undef CUDA_ON_CPU_ALL_MODES
#undef CUDA_ON_CPU_LANES
#undef CUDA_ON_CPU_MODES
#undef CUDA_ON_CPU_TWO
#undef CUDA_ON_CPU_VALUE1
#undef CUDA_ON_CPU_VALUE2
#undef CUDA_ON_CPU_VALUE3

//===----------------------------------------------------------------------===//
// 16-bit numbers
//===----------------------------------------------------------------------===//

/// Of numbers \p H, which names have as \p F.
#define CUDA_ON_CPU_NUMBERS(H, F)                                              \
  CUDA_ON_CPU_GIVES(H, operator+, (H a, H b), float(a) + float(b))             \
  CUDA_ON_CPU_GIVES(H, operator-, (H a, H b), float(a) - float(b))             \
  CUDA_ON_CPU_GIVES(H, operator*, (H a, H b), float(a) * float(b))             \
  CUDA_ON_CPU_GIVES(H, operator/, (H a, H b), float(a) / float(b))             \
  CUDA_ON_CPU_GIVES(H, operator-, (H a), -float(a))                            \
  CUDA_ON_CPU_GIVES(H &, operator+=, (H &a, H b), a = a + b)                   \
  CUDA_ON_CPU_GIVES(H &, operator-=, (H &a, H b), a = a - b)                   \
  CUDA_ON_CPU_GIVES(H &, operator*=, (H &a, H b), a = a * b)                   \
  CUDA_ON_CPU_GIVES(bool, operator<, (H a, H b), float(a) < float(b))          \
  CUDA_ON_CPU_GIVES(bool, operator>, (H a, H b), float(a) > float(b))          \
  CUDA_ON_CPU_GIVES(bool, operator<=, (H a, H b), float(a) <= float(b))        \
  CUDA_ON_CPU_GIVES(bool, operator>=, (H a, H b), float(a) >= float(b))        \
  CUDA_ON_CPU_GIVES(bool, operator==, (H a, H b), float(a) == float(b))        \
  CUDA_ON_CPU_GIVES(bool, operator!=, (H a, H b), float(a) != float(b))        \
  CUDA_ON_CPU_GIVES(H, __float2##F, (float v), v)                              \
  CUDA_ON_CPU_GIVES(H, __float2##F##_rn, (float v), v)                         \
  CUDA_ON_CPU_GIVES(float, __##F##2float, (H v), v)                            \
  CUDA_ON_CPU_DEVICE(H, __hadd, (H a, H b), a + b)                             \
  CUDA_ON_CPU_DEVICE(H, __hsub, (H a, H b), a - b)                             \
  CUDA_ON_CPU_DEVICE(H, __hmul, (H a, H b), a * b)                             \
  CUDA_ON_CPU_DEVICE(H, __hdiv, (H a, H b), a / b)                             \
  CUDA_ON_CPU_DEVICE(bool, __hlt, (H a, H b), a < b)                           \
  CUDA_ON_CPU_DEVICE(bool, __hle, (H a, H b), a <= b)                          \
  CUDA_ON_CPU_DEVICE(bool, __hgt, (H a, H b), a > b)                           \
  CUDA_ON_CPU_DEVICE(bool, __hge, (H a, H b), a >= b)                          \
  CUDA_ON_CPU_DEVICE(bool, __heq, (H a, H b), a == b)                          \
  CUDA_ON_CPU_DEVICE(H, __hfma, (H a, H b, H c),                               \
                     H::of(double(float(a)) * float(b) + float(c)))            \
  CUDA_ON_CPU_DEVICE(H, __hmax, (H a, H b), std::fmax(float(a), float(b)))     \
  CUDA_ON_CPU_DEVICE(H, __hmin, (H a, H b), std::fmin(float(a), float(b)))

/// Besides, of pairs \p H2, which names have as \p F2.
#define CUDA_ON_CPU_PAIRS(H, H2, F, F2)                                        \
  CUDA_ON_CPU_THREADS(H2, __float2##F2##_rn, (float))                          \
  CUDA_ON_CPU_THREADS(H2, __floats2##F2##_rn, (float, float))                  \
  CUDA_ON_CPU_THREADS(H2, __float22##F2##_rn, (float2))                        \
  CUDA_ON_CPU_THREADS(float2, __##F2##2float2, (H2))                           \
  CUDA_ON_CPU_THREADS(H2, __halves2##F2, (H, H))                               \
  CUDA_ON_CPU_THREADS(H2, __##F##2##F2, (H))                                   \
  CUDA_ON_CPU_THREADS(H, __low2##F, (H2))                                      \
  CUDA_ON_CPU_THREADS(H, __high2##F, (H2))                                     \
  CUDA_ON_CPU_THREADS(float, __low2float, (H2))                                \
  CUDA_ON_CPU_THREADS(float, __high2float, (H2))                               \
  CUDA_ON_CPU_THREADS(H, __double2##F, (double))                               \
  CUDA_ON_CPU_THREADS(H, __int2##F##_rn, (int))                                \
  CUDA_ON_CPU_THREADS(H, __uint2##F##_rn, (unsigned))                          \
  CUDA_ON_CPU_THREADS(H, __short2##F##_rn, (short))                            \
  CUDA_ON_CPU_THREADS(int, __##F##2int_rn, (H))                                \
  CUDA_ON_CPU_THREADS(int, __##F##2int_rz, (H))                                \
  CUDA_ON_CPU_THREADS(int, __##F##2int_rd, (H))                                \
  CUDA_ON_CPU_THREADS(unsigned, __##F##2uint_rn, (H))                          \
  CUDA_ON_CPU_THREADS(H, __ushort_as_##F, (unsigned short))                    \
  CUDA_ON_CPU_THREADS(unsigned short, __##F##_as_ushort, (H))                  \
  CUDA_ON_CPU_EACH(CUDA_ON_CPU_OF1, H)                                         \
  CUDA_ON_CPU_EACH(CUDA_ON_CPU_OF2, H2)                                        \
  CUDA_ON_CPU_THREADS(H, __habs, (H))                                          \
  CUDA_ON_CPU_THREADS(H, __hneg, (H))                                          \
  CUDA_ON_CPU_THREADS(bool, __hne, (H, H))                                     \
  CUDA_ON_CPU_THREADS(bool, __hisnan, (H))                                     \
  CUDA_ON_CPU_THREADS(int, __hisinf, (H))                                      \
  CUDA_ON_CPU_THREADS(H2, __hadd2, (H2, H2))                                   \
  CUDA_ON_CPU_THREADS(H2, __hsub2, (H2, H2))                                   \
  CUDA_ON_CPU_THREADS(H2, __hmul2, (H2, H2))                                   \
  CUDA_ON_CPU_THREADS(H2, __h2div, (H2, H2))                                   \
  CUDA_ON_CPU_THREADS(H2, __hfma2, (H2, H2, H2))                               \
  CUDA_ON_CPU_THREADS(H2, __hmax2, (H2, H2))                                   \
  CUDA_ON_CPU_THREADS(H2, __hmin2, (H2, H2))                                   \
  CUDA_ON_CPU_THREADS(H2, __hneg2, (H2))                                       \
  CUDA_ON_CPU_THREADS(H2, __habs2, (H2))                                       \
  CUDA_ON_CPU_THREADS(H2, operator+, (H2, H2))                                 \
  CUDA_ON_CPU_THREADS(H2, operator-, (H2, H2))                                 \
  CUDA_ON_CPU_THREADS(H2, operator*, (H2, H2))                                 \
  CUDA_ON_CPU_THREADS(H2, operator/, (H2, H2))                                 \
  CUDA_ON_CPU_THREADS(H2 &, operator+=, (H2 &, H2))                            \
  CUDA_ON_CPU_THREADS(H2 &, operator*=, (H2 &, H2))
#define CUDA_ON_CPU_EACH(OF, H)                                                \
  OF(H, exp) OF(H, exp2) OF(H, exp10) OF(H, log) OF(H, log2) OF(H, log10)      \
  OF(H, sqrt) OF(H, rsqrt) OF(H, rcp) OF(H, sin) OF(H, cos) OF(H, ceil)        \
  OF(H, floor) OF(H, trunc) OF(H, rint)
#define CUDA_ON_CPU_OF1(H, f) CUDA_ON_CPU_THREADS(H, h##f, (H))
#define CUDA_ON_CPU_OF2(H, f) CUDA_ON_CPU_THREADS(H, h2##f, (H))
