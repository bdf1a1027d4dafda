// Kernels on the CPU: cuda_on_cpu.h alone, without a driver.
//
// RUN: %cxx -x c++ -std=c++17 -O1 -Wall -Werror -Wno-unknown-pragmas -fsanitize=address,undefined -fno-sanitize-recover=all -I %source/include/convopt/Verify %s -o %t -lboost_context
// RUN: %t good | FileCheck --check-prefix=GOOD %s
// GOOD: all good
//
// RUN: not %t outside 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// OUTSIDE: AddressSanitizer: heap-buffer-overflow
// OUTSIDE: WRITE of size 4
//
// RUN: not %t misaligned 2>&1 | FileCheck --check-prefix=MISALIGNED %s
// MISALIGNED: misaligned address
//
// RUN: not %t missed 2>&1 | FileCheck --check-prefix=MISSED %s
// MISSED: cuda_on_cpu: error: only 16 of 32 threads reached the barrier at {{.*}}cuda-on-cpu.cu:[[#]], in block (0, 0, 0)
//
// RUN: not %t different 2>&1 | FileCheck --check-prefix=DIFFERENT %s
// DIFFERENT: cuda_on_cpu: error: threads of a block wait at different barriers, {{.*}}:[[#]] and {{.*}}:[[#]], in block (0, 0, 0), thread (1, 0, 0)
//
// Without AddressSanitizer a write past the end is found when it is freed.
// RUN: %cxx -x c++ -std=c++17 -I %source/include/convopt/Verify %s -o %t-plain -lboost_context
// RUN: %t-plain good | FileCheck --check-prefix=GOOD %s
// RUN: not %t-plain outside 2>&1 | FileCheck --check-prefix=GUARD %s
// GUARD: cuda_on_cpu: error: a write outside of memory from cudaMalloc

#include "cuda_on_cpu.h"
#include <string>

#define EXPECT(condition)                                                      \
  if (!(condition)) {                                                          \
    std::printf("line %d: %s\n", __LINE__, #condition);                        \
    return 1;                                                                  \
  }

__constant__ float weights[4];

__global__ void __launch_bounds__(64)
    reverse(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float tile[64];
  const int t = threadIdx.x, base = blockIdx.x * blockDim.x;
  for (int round = 0; round < 3; ++round) {
    tile[t] = in[base + t] * weights[round];
    __syncthreads();
    out[base + t] += tile[blockDim.x - 1 - t];
    __syncthreads();
  }
}

__global__ void index3(int *out, dim3 n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < n.x && y < n.y && z < n.z)
    atomicAdd(&out[(z * n.y + y) * n.x + x],
              int(min(x + 10 * y + 100 * z, 999u)));
}

__global__ void last(int *out) { *out = blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void outside(float *p, unsigned n) {
  if (threadIdx.x <= n)
    p[threadIdx.x] = 1;
}

__global__ void misaligned(float *p) {
  reinterpret_cast<float4 *>(p + 1)->x = 1;
}

__global__ void missed() {
  if (threadIdx.x < 16)
    __syncthreads();
}

__global__ void different() {
  if (threadIdx.x == 0)
    __syncthreads();
  else
    __syncthreads();
}

template <class F> static void launch(dim3 grid, dim3 block, F &&f) {
  ::cuda_on_cpu::launch(grid, block, 0, 0, f);
}

static int good() {
  float host[320], *in, *out;
  const float w[] = {1, 2, 3, 0};
  for (int i = 0; i < 320; ++i)
    host[i] = i;
  EXPECT(cudaMalloc(&in, sizeof host) == cudaSuccess);
  EXPECT(cudaMalloc((void **)&out, sizeof host) == cudaSuccess);
  EXPECT(std::isnan(out[0]) && std::isnan(out[319]));
  EXPECT(cudaMemcpyToSymbol(weights, w, sizeof w) == cudaSuccess);
  EXPECT(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice) ==
         cudaSuccess);
  EXPECT(cudaMemset(out, 0, sizeof host) == cudaSuccess);
  launch(5, 64, [&] { reverse(in, out); });
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) ==
         cudaSuccess);
  for (int i = 0; i < 320; ++i)
    EXPECT(host[i] == 6 * (i / 64 * 64 + 63 - i % 64));

  const dim3 n(5, 3, 2);
  int *indices, hostIndices[30];
  EXPECT(cudaMalloc(&indices, sizeof hostIndices) == cudaSuccess);
  EXPECT(cudaMemset(indices, 0, sizeof hostIndices) == cudaSuccess);
  launch(dim3(2, 2, 1), dim3(4, 2, 2), [&] { index3(indices, n); });
  EXPECT(cudaMemcpy(hostIndices, indices, sizeof hostIndices,
                    cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(hostIndices[0] == 0 && hostIndices[7] == 12 && hostIndices[29] == 124);

  // The order of threads and blocks, and its opposite.
  launch(2, 64, [&] { last(indices); });
  EXPECT(indices[0] == 127);
  cuda_on_cpu::setReverse(true);
  launch(2, 64, [&] { last(indices); });
  EXPECT(indices[0] == 0);
  cuda_on_cpu::setReverse(false);

  // What a device refuses leaves an error and runs nothing.
  for (auto [grid, block] : {std::pair<dim3, dim3>{1, 1025},
                             {dim3(1, 65536), 1},
                             {dim3(1, 1, 65536), 1},
                             {1, dim3(1, 1, 65)},
                             {1, 0},
                             {0, 1}}) {
    launch(grid, block, [&] { indices[0] = 99; });
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaSuccess && indices[0] == 0);
  }
  EXPECT(cudaMemcpy(host, host, 4, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(in + 1, host, sizeof host, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  EXPECT(cudaFree(in + 1) == cudaErrorInvalidValue);
  EXPECT(std::string(cudaGetErrorName(cudaGetLastError())) ==
         "cudaErrorInvalidValue");
  EXPECT(cuda_on_cpu::liveAllocations() == 3);
  cudaFree(in);
  cudaFree(out);
  cudaFree(indices);
  EXPECT(cuda_on_cpu::liveAllocations() == 0);
  std::puts("all good");
  return 0;
}

int main(int, char **argv) {
  const std::string what = argv[1];
  if (what == "good")
    return good();
  float *p;
  cudaMalloc(&p, 40);
  launch(1, 32, [&] {
    if (what == "outside")
      outside(p, 10);
    if (what == "misaligned")
      misaligned(p);
    if (what == "missed")
      missed();
    if (what == "different")
      different();
  });
  cudaFree(p);
}
