// Fast intrinsics that a kernel calls, and functions of the runtime that host
// code beside it does, compile and run on the CPU.
//
// RUN: %convopt %s -function=scale -o %t.cu -verify=cpu -shape=n=37 2>&1 \
// RUN:   | FileCheck %s
// CHECK: verified: 1 shape on the CPU
#include <cstdio>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

__managed__ float managed[4];

__global__ void scale(const float *x, float *y, int n, float s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __expf(x[i] * s) + __fdividef(x[i + 1], 4.0f) +
           __logf(x[i] * x[i] + 1.0f);
}

cudaError_t runByPointer(const float *x, float *y, int n, float s) {
  void *arguments[] = {&x, &y, &n, &s};
  int blocks, threads;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, scale, 0, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, threads, 0);
  cudaFuncSetCacheConfig(scale, cudaFuncCachePreferL1);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, scale);
  if (cudaLaunchCooperativeKernel(scale, dim3(1), dim3(threads), arguments))
    return cudaErrorLaunchFailure;
  return cudaLaunchKernel(scale, dim3((n + 255) / 256), dim3(256), arguments, 0,
                          0);
}

void memory(int w, int h) {
  float *host, *image, *shared;
  size_t pitch, free, total;
  cudaHostAlloc(&host, w * h * sizeof(float), cudaHostAllocDefault);
  cudaMallocPitch(&image, &pitch, w * sizeof(float), h);
  cudaMemcpy2D(image, pitch, host, w * sizeof(float), w * sizeof(float), h,
               cudaMemcpyHostToDevice);
  cudaMemcpy2DAsync(host, w * sizeof(float), image, pitch, w * sizeof(float), h,
                    cudaMemcpyDeviceToHost, 0);
  cudaMemset2D(image, pitch, 0, w * sizeof(float), h);
  cudaMemGetInfo(&free, &total);
  cudaMallocManaged(&shared, 16, cudaMemAttachGlobal);
  cudaMemPrefetchAsync(shared, 16, 0, 0);
  cudaFree(shared);
  cudaFree(image);
  cudaFreeHost(host);
}

int device() {
  int value, version;
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  std::printf("%d %zu\n", prop.clockRate, prop.totalConstMem);
  cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
  cudaRuntimeGetVersion(&version);
  cudaDriverGetVersion(&version);
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0);
  cudaEventCreateWithFlags(&event, cudaEventBlockingSync);
  cudaProfilerStart();
  while (cudaStreamQuery(stream) == cudaErrorNotReady ||
         cudaEventQuery(event) == cudaErrorNotReady)
    ;
  cudaProfilerStop();
  return cudaDeviceReset() == cudaSuccess ? make_float1(value).x : 0;
}
