//===- DeviceKernels.cpp - Kernels that measuring itself runs -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceKernels.h"

namespace convopt::bench {

const char *const DataKernels = R"(
typedef unsigned long long convopt_word;

#define CONVOPT_EACH(i, n)                                                     \
  for (convopt_word i = blockIdx.x * (convopt_word)blockDim.x + threadIdx.x;   \
       i < n; i += (convopt_word)gridDim.x * blockDim.x)

// splitmix64 (Steele, Lea and Flood) of a position.
__device__ inline convopt_word convopt_random(convopt_word z) {
  z *= 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

template <class T>
__global__ void convopt_fill(T *data, convopt_word n, convopt_word seed,
                             int integers) {
  CONVOPT_EACH(i, n) {
    const convopt_word r = convopt_random(i + seed);
    data[i] = integers ? (T)((int)((r >> 40) % 5) - 2)
                       : (T)((r >> 40) * (1.0 / 8388608) - 1);
  }
}

template <class T>
__global__ void convopt_widen(const T *from, double *value, double *magnitude,
                              convopt_word n) {
  CONVOPT_EACH(i, n) {
    value[i] = (double)from[i];
    magnitude[i] = fabs((double)from[i]);
  }
}

// The sum over all positions, so that its order does not matter.
__global__ void convopt_hash(const unsigned *data, convopt_word n,
                             convopt_word *result) {
  convopt_word sum = 0;
  CONVOPT_EACH(i, n)
    sum += convopt_random((i << 32) + i * 0x2545F491u + data[i]);
  for (int lane = 16; lane; lane /= 2)
    sum += __shfl_xor_sync(0xFFFFFFFFu, sum, lane);
  if (threadIdx.x % 32 == 0)
    atomicAdd(result, sum);
}

struct convopt_found {
  convopt_word wrong, first, worst; // the last are the bits of a double
};

template <class T>
__global__ void convopt_compare(const T *actual, const double *value,
                                const double *magnitude, convopt_word n,
                                int exact, double depth, double epsilon,
                                convopt_found *found) {
  CONVOPT_EACH(i, n) {
    const double a = actual[i], v = value[i], m = magnitude[i];
    if (v != v) { // not written by the reference
      if (a == a) {
        atomicAdd(&found->wrong, 1ull);
        atomicMin(&found->first, i);
      }
      continue;
    }
    const double error = fabs(a - v);
    const bool mustEqual = exact && m * epsilon < 1;
    const double bound = mustEqual ? 0 : (depth + 4) * epsilon * m + 1e-300;
    if (!(error <= bound)) { // NaN is wrong, too
      atomicAdd(&found->wrong, 1ull);
      atomicMin(&found->first, i);
    } else if (error > 0) {
      const convopt_word share = __double_as_longlong(error / m);
      if (share > *(volatile convopt_word *)&found->worst)
        atomicMax(&found->worst, share);
    }
  }
}

// Reads everything, so that what the cache held before is gone.
__global__ void convopt_read(const uint4 *data, convopt_word n, unsigned *out) {
  unsigned all = 0;
  CONVOPT_EACH(i, n) {
    const uint4 v = data[i];
    all |= v.x | v.y | v.z | v.w;
  }
  if (all == 0x12345678u) // never: the buffer is filled with one byte
    *out = all;
}

__global__ void convopt_spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}
)";

// The second operand of the multiply-adds is a kernel parameter: it comes from
// a uniform register or the constant bank, and the registers of an FFMA do not
// meet in one bank. With three plain registers the same loop is 4 to 10 %
// slower.
const char *const CeilingKernels = R"(
template <int I>
__global__ void __launch_bounds__(256)
convopt_ffma(float *out, float w0, float w1, float w2, float w3, float w4,
             float w5, float w6, float w7, float x, int rounds) {
  const float w[8] = {w0, w1, w2, w3, w4, w5, w6, w7};
  float sum[I][8], a[I];
#pragma unroll
  for (int i = 0; i < I; ++i) {
    a[i] = x * (threadIdx.x + 37 * i);
#pragma unroll
    for (int j = 0; j < 8; ++j)
      sum[i][j] = threadIdx.x + 8 * i + j;
  }
#pragma unroll 4
  for (int k = 0; k < rounds; ++k)
#pragma unroll
    for (int i = 0; i < I; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        sum[i][j] = fmaf(a[i], w[j], sum[i][j]);
  float all = 0;
#pragma unroll
  for (int i = 0; i < I; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      all += sum[i][j];
  if (all == 1.2345f) // never, but nobody can know
    *out = all;
}

// I times 16 bytes a thread, each warp's side by side.
template <int I>
__global__ void __launch_bounds__(256)
convopt_copy(const float4 *from, float4 *to, unsigned long long n) {
  const unsigned long long first =
      (unsigned long long)blockIdx.x * (256 * I) + threadIdx.x;
  float4 v[I];
#pragma unroll
  for (int i = 0; i < I; ++i)
    if (first + 256 * i < n)
      v[i] = from[first + 256 * i];
#pragma unroll
  for (int i = 0; i < I; ++i)
    if (first + 256 * i < n)
      to[first + 256 * i] = v[i];
}
)";

const char *const ReferenceConvolution = R"(
extern "C" __global__ void __launch_bounds__(256)
convopt_convolution(const float *in, const float *filter, double *value,
                    double *magnitude, unsigned long long outputs, int channels,
                    int maps, int K, int groups, int H, int W, int R, int S,
                    int outH, int outW, int padH, int padW, int strideH,
                    int strideW, int dilationH, int dilationW) {
  const unsigned long long at = blockIdx.x * 256ull + threadIdx.x;
  if (at >= outputs)
    return;
  const int x = at % outW;
  const int y = at / outW % outH;
  const int k = at / outW / outH % K;
  const unsigned long long n = at / outW / outH / K;
  double sum = 0, all = 0;
  for (int c = 0; c < channels; ++c) {
    const float *plane =
        in + ((n * groups + k / maps) * channels + c) * H * W;
    const float *w = filter + ((unsigned long long)k * channels + c) * R * S;
    for (int r = 0; r < R; ++r) {
      const int row = y * strideH - padH + r * dilationH;
      if (row < 0 || row >= H)
        continue;
      for (int s = 0; s < S; ++s) {
        const int column = x * strideW - padW + s * dilationW;
        if (column < 0 || column >= W)
          continue;
        const double product =
            (double)plane[(long long)row * W + column] * w[r * S + s];
        sum += product;
        all += fabs(product);
      }
    }
  }
  value[at] = sum;
  magnitude[at] = all;
}
)";

} // namespace convopt::bench
