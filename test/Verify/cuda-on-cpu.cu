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
// A wait for what nobody starts, copies that nobody waits for, a barrier of
// nothing, and 4 bytes.
// RUN: not %t unstarted 2>&1 | FileCheck --check-prefix=UNSTARTED %s
// UNSTARTED: cuda_on_cpu: error: a wait for bulk copies that no thread has started, in block (0, 0, 0), thread (0, 0, 0)
// RUN: not %t unawaited 2>&1 | FileCheck --check-prefix=UNAWAITED %s
// UNAWAITED: cuda_on_cpu: error: a block ended while bulk copies were under way
// RUN: not %t uninitialised 2>&1 | FileCheck --check-prefix=UNINITIALISED %s
// UNINITIALISED: cuda_on_cpu: error: an mbarrier that no thread has initialised
// RUN: not %t uneven 2>&1 | FileCheck --check-prefix=UNEVEN %s
// UNEVEN: cuda_on_cpu: error: a bulk copy of a size or alignment that devices do not have
//
// RUN: not %t half-warp 2>&1 | FileCheck --check-prefix=HALF %s
// HALF: cuda_on_cpu: error: a shuffle among others than all lanes of full warps does not run on the CPU, in block (0, 0, 0), thread (0, 0, 0)
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

/// What a correct kernel would get wrong.
enum class Mistake { None, EarlyRead, EarlyCopy, Unstarted, Unawaited, Uneven };

/// Sums the columns of a block's rows, of which two are on their way at once.
__global__ void columns(const float *in, float *out, Mistake mistake) {
  __shared__ __align__(16) float rows[2][64];
  __shared__ uint64_t full[2];
  const int t = threadIdx.x;
  if (t == 0)
    for (int k = 0; k < 2; ++k)
      convopt_bulk_init(&full[k]);
  __syncthreads();
  auto fill = [&](int row) {
    if (t != 0 || mistake == Mistake::Unstarted)
      return;
    const int begin = (5 * blockIdx.x + row) * 64;
    for (int part = 0; part < 64; part += 32)
      convopt_bulk_copy(&rows[row % 2][part], &in[begin + part],
                        mistake == Mistake::Uneven ? 4 : 128, &full[row % 2]);
    convopt_bulk_arrive(&full[row % 2]);
  };
  fill(0);
  float sum = 0;
  for (int row = 0; row < 5; ++row) {
    if (mistake == Mistake::EarlyCopy && row + 1 < 5)
      fill(row + 1);
    __syncthreads();
    if (mistake != Mistake::EarlyCopy && row + 1 < 5)
      fill(row + 1);
    if (mistake == Mistake::EarlyRead)
      sum += rows[row % 2][t];
    if (mistake != Mistake::Unawaited || row != 4)
      convopt_bulk_wait(&full[row % 2], row / 2 % 2);
    if (mistake != Mistake::EarlyRead)
      sum += rows[row % 2][t];
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void uninitialised() {
  __shared__ uint64_t full;
  convopt_bulk_arrive(&full);
}

/// The sum of two neighbours, and the square of that of two others.
__global__ void sumsOfLanes(float *out) {
  float sum = threadIdx.x;
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  out[threadIdx.x] = sum + __shfl_xor_sync(0xffffffffu, sum * sum, 8);
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

  // Bulk copies; who reads too early, or whose box is filled too early, finds
  // no numbers.
  for (bool isReverse : {false, true}) {
    cuda_on_cpu::setReverse(isReverse);
    for (auto [mistake, isRight] : {std::pair(Mistake::None, true),
                                    {Mistake::EarlyRead, false},
                                    {Mistake::EarlyCopy, isReverse}}) {
      launch(1, 64, [&, m = mistake] { columns(in, out, m); });
      int right = 0;
      for (int t = 0; t < 64; ++t)
        right += out[t] == 5 * t + 640;
      EXPECT((right == 64) == isRight);
    }
  }
  for (bool isReverse : {false, true}) {
    cuda_on_cpu::setReverse(isReverse);
    launch(2, 64, [&] { sumsOfLanes(out); });
    for (int t = 0; t < 64; ++t) {
      const float own = t + (t ^ 1), other = (t ^ 8) + (t ^ 9);
      EXPECT(out[t] == own + other * other);
    }
  }
  cuda_on_cpu::setReverse(false);

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
  for (auto [name, mistake] : {std::pair("unstarted", Mistake::Unstarted),
                               {"unawaited", Mistake::Unawaited},
                               {"uneven", Mistake::Uneven}})
    if (what == name && cudaMalloc(&p, 320 * sizeof(float)) == cudaSuccess)
      launch(1, 64, [&, m = mistake] { columns(p, p + 256, m); });
  cudaMalloc(&p, 40);
  if (what == "half-warp")
    launch(1, 16, [&] { sumsOfLanes(p); });
  launch(1, 32, [&] {
    if (what == "outside")
      outside(p, 10);
    if (what == "misaligned")
      misaligned(p);
    if (what == "missed")
      missed();
    if (what == "different")
      different();
    if (what == "uninitialised")
      uninitialised();
  });
  cudaFree(p);
}
