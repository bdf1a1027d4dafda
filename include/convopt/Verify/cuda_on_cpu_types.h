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
#if __has_include(<library_types.h>)
#include <library_types.h>
#endif

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
      asyncEngineCount = 0;
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
enum cudaStreamCaptureMode { cudaStreamCaptureModeRelaxed = 2 };

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_TYPES_H
