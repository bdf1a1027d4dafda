//===- cuda_on_cpu_types.h - Enumerations of CUDA's runtime -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What host code names and needs no definitions of functions for: the front
/// end parses CUDA with the same.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_CUDA_ON_CPU_TYPES_H
#define CONVOPT_VERIFY_CUDA_ON_CPU_TYPES_H

// What these headers of the toolkit declare is known where this file is read;
// the headers of its libraries find them beside themselves.
#define __BUILTIN_TYPES_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#if __has_include(<library_types.h>)
#include <library_types.h>
#endif

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

#define CUDA_ON_CPU_VECTORS(T, name)                                           \
  struct name##1 {                                                             \
    T x;                                                                       \
  };                                                                           \
  struct alignas(2 * sizeof(T)) name##2 {                                      \
    T x, y;                                                                    \
  };                                                                           \
  struct name##3 {                                                             \
    T x, y, z;                                                                 \
  };                                                                           \
  struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) name##4 {                 \
    T x, y, z, w;                                                              \
  };                                                                           \
  CUDA_ON_CPU_GIVES(name##1, make_##name##1, (T x), {x})                       \
  CUDA_ON_CPU_GIVES(name##2, make_##name##2, (T x, T y), {x, y})               \
  CUDA_ON_CPU_GIVES(name##3, make_##name##3, (T x, T y, T z), {x, y, z})       \
  CUDA_ON_CPU_GIVES(name##4, make_##name##4, (T x, T y, T z, T w), {x, y, z, w})
CUDA_ON_CPU_VECTORS(signed char, char)
CUDA_ON_CPU_VECTORS(unsigned char, uchar)
CUDA_ON_CPU_VECTORS(short, short)
CUDA_ON_CPU_VECTORS(unsigned short, ushort)
CUDA_ON_CPU_VECTORS(int, int)
CUDA_ON_CPU_VECTORS(unsigned, uint)
CUDA_ON_CPU_VECTORS(long, long)
CUDA_ON_CPU_VECTORS(unsigned long, ulong)
CUDA_ON_CPU_VECTORS(long long, longlong)
CUDA_ON_CPU_VECTORS(unsigned long long, ulonglong)
CUDA_ON_CPU_VECTORS(float, float)
CUDA_ON_CPU_VECTORS(double, double)
#undef CUDA_ON_CPU_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

//===----------------------------------------------------------------------===//
// Errors, copies and devices
//===----------------------------------------------------------------------===//

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUmemPoolHandler_st *cudaMemPool_t;
typedef struct CUgraph_st *cudaGraph_t;

#define CUDA_ON_CPU_ERRORS(X)                                                  \
  X(cudaSuccess, 0, "no error")                                                \
  X(cudaErrorInvalidValue, 1, "invalid argument")                              \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                             \
  X(cudaErrorInitializationError, 3, "initialization error")                   \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")        \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                       \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")               \
  X(cudaErrorInsufficientDriver, 35, "driver is insufficient")                 \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")             \
  X(cudaErrorNoDevice, 100, "no device is detected")                           \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                     \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")            \
  X(cudaErrorNotReady, 600, "device not ready")                                \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access")                  \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources for a launch")     \
  X(cudaErrorLaunchTimeout, 702, "a launch timed out")                         \
  X(cudaErrorAssert, 710, "device-side assert triggered")                      \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "memory registered already")    \
  X(cudaErrorHostMemoryNotRegistered, 713, "memory not registered")            \
  X(cudaErrorLaunchFailure, 719, "a launch failed")                            \
  X(cudaErrorNotPermitted, 800, "operation not permitted")                     \
  X(cudaErrorNotSupported, 801, "operation not supported")                     \
  X(cudaErrorUnknown, 999, "unknown error")
enum cudaError {
#define CUDA_ON_CPU_ENUM(name, value, text) name = value,
  CUDA_ON_CPU_ERRORS(CUDA_ON_CPU_ENUM)
#undef CUDA_ON_CPU_ENUM
};
typedef cudaError cudaError_t;

typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
struct cudaDeviceProp {
  char name[256];
  __SIZE_TYPE__ totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin;
  int regsPerBlock, warpSize, maxThreadsPerBlock, multiProcessorCount;
  int maxThreadsDim[3], maxGridSize[3], major, minor;
  // What is not known here.
  __SIZE_TYPE__ memPitch = 0, totalConstMem = 0, sharedMemPerMultiprocessor = 0;
  int regsPerMultiprocessor = 0, maxThreadsPerMultiProcessor = 0,
      maxBlocksPerMultiProcessor = 0, clockRate = 0, memoryClockRate = 0,
      memoryBusWidth = 0, l2CacheSize = 0, integrated = 0, canMapHostMemory = 0,
      concurrentKernels = 0, unifiedAddressing = 0, managedMemory = 0,
      asyncEngineCount = 0, deviceOverlap = 0, kernelExecTimeoutEnabled = 0,
      computeMode = 0, ECCEnabled = 0, pciBusID = 0, pciDeviceID = 0,
      pciDomainID = 0, tccDriver = 0, cooperativeLaunch = 0,
      streamPrioritiesSupported = 0, pageableMemoryAccess = 0,
      concurrentManagedAccess = 0, isMultiGpuBoard = 0, maxTexture1D = 0,
      maxTexture2D[2] = {}, maxTexture3D[3] = {};
  __SIZE_TYPE__ textureAlignment = 0, surfaceAlignment = 0;
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
struct cudaFuncAttributes {
  __SIZE_TYPE__ sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs;
};

enum cudaMemAllocationType { cudaMemAllocationTypePinned = 1 };
enum cudaMemLocationType { cudaMemLocationTypeDevice = 1 };
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  struct {
    cudaMemLocationType type;
    int id;
  } location;
};
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone,
  cudaStreamCaptureStatusActive,
  cudaStreamCaptureStatusInvalidated
};

//===----------------------------------------------------------------------===//
// Arrays and textures
//===----------------------------------------------------------------------===//

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {int(8 * sizeof(T)), 0, 0, 0, cudaChannelFormatKindNone};
}
struct cudaExtent {
  __SIZE_TYPE__ width, height, depth;
};
struct cudaPos {
  __SIZE_TYPE__ x, y, z;
};
struct cudaPitchedPtr {
  void *ptr;
  __SIZE_TYPE__ pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(__SIZE_TYPE__ w, __SIZE_TYPE__ h,
                                  __SIZE_TYPE__ d) {
  return {w, h, d};
}
inline cudaPos make_cudaPos(__SIZE_TYPE__ x, __SIZE_TYPE__ y, __SIZE_TYPE__ z) {
  return {x, y, z};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, __SIZE_TYPE__ pitch,
                                          __SIZE_TYPE__ x, __SIZE_TYPE__ y) {
  return {p, pitch, x, y};
}
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
enum cudaResourceType {
  cudaResourceTypeArray,
  cudaResourceTypeMipmappedArray,
  cudaResourceTypeLinear,
  cudaResourceTypePitch2D
};
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      __SIZE_TYPE__ sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      __SIZE_TYPE__ width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct cudaResourceViewDesc;
enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode {
  cudaReadModeElementType,
  cudaReadModeNormalizedFloat
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize,
  cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount,
  cudaLimitMaxL2FetchGranularity,
  cudaLimitPersistingL2CacheSize
};
enum {
  cudaStreamDefault = 0,
  cudaStreamNonBlocking = 1,
  cudaEventDefault = 0,
  cudaEventBlockingSync = 1,
  cudaEventDisableTiming = 2,
  cudaHostAllocDefault = 0,
  cudaHostAllocPortable = 1,
  cudaHostAllocMapped = 2,
  cudaHostRegisterDefault = 0,
  cudaMemAttachGlobal = 1,
  cudaDeviceScheduleAuto = 0,
  cudaDeviceScheduleSpin = 1,
  cudaDeviceScheduleYield = 2,
  cudaDeviceScheduleBlockingSync = 4,
  cudaDeviceMapHost = 8,
  cudaMemAttachHost = 2,
  cudaMemAttachSingle = 4,
  cudaHostAllocWriteCombined = 4,
  cudaCpuDeviceId = -1,
  cudaArrayDefault = 0,
  cudaArrayLayered = 1,
  cudaArraySurfaceLoadStore = 2
};
struct cudaIpcMemHandle_t {
  char reserved[64];
};
typedef void (*cudaHostFn_t)(void *);

//===----------------------------------------------------------------------===//
// The driver's interface
//===----------------------------------------------------------------------===//

enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_NOT_SUPPORTED = 801 };
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
#define CUDA_ON_CPU_DRIVER(name, parameters)                                   \
  inline CUresult name parameters { return CUDA_ERROR_NOT_SUPPORTED; }
CUDA_ON_CPU_DRIVER(cuInit, (unsigned))
CUDA_ON_CPU_DRIVER(cuDeviceGet, (CUdevice *, int))
CUDA_ON_CPU_DRIVER(cuDeviceGetCount, (int *))
CUDA_ON_CPU_DRIVER(cuDeviceGetName, (char *, int, CUdevice))
CUDA_ON_CPU_DRIVER(cuCtxCreate, (CUcontext *, unsigned, CUdevice))
CUDA_ON_CPU_DRIVER(cuCtxDestroy, (CUcontext))
CUDA_ON_CPU_DRIVER(cuCtxSynchronize, ())
CUDA_ON_CPU_DRIVER(cuModuleLoad, (CUmodule *, const char *))
CUDA_ON_CPU_DRIVER(cuModuleGetFunction, (CUfunction *, CUmodule, const char *))
CUDA_ON_CPU_DRIVER(cuMemAlloc, (CUdeviceptr *, __SIZE_TYPE__))
CUDA_ON_CPU_DRIVER(cuMemFree, (CUdeviceptr))
CUDA_ON_CPU_DRIVER(cuMemcpyHtoD, (CUdeviceptr, const void *, __SIZE_TYPE__))
CUDA_ON_CPU_DRIVER(cuMemcpyDtoH, (void *, CUdeviceptr, __SIZE_TYPE__))
CUDA_ON_CPU_DRIVER(cuLaunchKernel,
                   (CUfunction, unsigned, unsigned, unsigned, unsigned,
                    unsigned, unsigned, unsigned, CUstream, void **, void **))
CUDA_ON_CPU_DRIVER(cuGetErrorString, (CUresult, const char **))
#undef CUDA_ON_CPU_DRIVER

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_TYPES_H
