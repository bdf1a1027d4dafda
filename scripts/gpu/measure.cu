// Times a naive kernel and one that convopt emitted from it, on the same random
// data, and compares them bit for bit. Build with
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -DEMITTED='"tiled.cu"' measure.cu
//
// where tiled.cu was emitted from examples/naive_kernel.cu or, with
// -DTEMPLATE, from examples/thesis_kernel.cu. Run as `measure NAME CHANNELS
// WIDTH`; prints one line a radius. The naive kernel gets the best of several
// block shapes.

#define main emitted_main
#include EMITTED
#undef main

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Layer {
  const float *in, *filters;
  int channels, width, widthOut;
};

#ifdef TEMPLATE
template <int radius>
static void naive(const Layer &l, float *out, dim3 grid, dim3 block) {
  convNaive<float, radius><<<grid, block>>>((float *)l.in, (float *)l.filters,
                                            out, l.width, l.widthOut,
                                            l.channels, l.channels);
}
template <int radius> static cudaError_t tiled(const Layer &l, float *out) {
  return convNaive_tiled_launch<float, radius>(
      (float *)l.in, (float *)l.filters, out, l.width, l.widthOut, l.channels,
      l.channels, nullptr);
}
#else
template <int radius>
static void naive(const Layer &l, float *out, dim3 grid, dim3 block) {
  conv<<<grid, block>>>(l.in, l.filters, out, l.channels, l.channels, l.width,
                        l.width, 2 * radius + 1);
}
template <int radius> static cudaError_t tiled(const Layer &l, float *out) {
  return conv_tiled_launch(l.in, l.filters, out, l.channels, l.channels,
                           l.width, l.width, 2 * radius + 1, nullptr);
}
#endif

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "measure: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

// Registers only: 64 independent chains of fused multiply-adds a thread.
__global__ void __launch_bounds__(256) ffmaCeiling(float *out, float a, int n) {
  float acc[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      acc[i][j] = threadIdx.x + i * 8 + j;
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        acc[i][j] = acc[i][j] * a + 1.0f;
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      sum += acc[i][j];
  if (sum == 1.2345f)
    out[0] = sum;
}

/// Median of the milliseconds that \p run takes, after a warm-up.
template <class F> static float median(int samples, F run) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  run();
  std::vector<float> times(samples);
  for (float &t : times) {
    check(cudaEventRecord(start));
    run();
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&t, start, stop));
  }
  check(cudaGetLastError());
  std::sort(times.begin(), times.end());
  return times[samples / 2];
}

static double ceiling() {
  const int n = 4096, blocks = 132 * 16;
  float *out;
  check(cudaMalloc(&out, sizeof(float)));
  float ms = median(5, [&] { ffmaCeiling<<<blocks, 256>>>(out, 0.5f, n); });
  check(cudaFree(out));
  return 2.0 * 64 * n * 256.0 * blocks / ms * 1e-9;
}

__global__ void fill(float *data, size_t n, unsigned seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    uint64_t z = (i + seed) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z ^= z >> 27;
    data[i] = float(z >> 40) / 8388608.0f - 1.0f;
  }
}

template <int radius>
static void measure(const char *name, int channels, int width, double roof) {
  const int size = 2 * radius + 1, widthOut = width - size + 1;
  const size_t nIn = size_t(channels) * width * width;
  const size_t nKernel = size_t(channels) * channels * size * size;
  const size_t nOut = size_t(channels) * widthOut * widthOut;
  float *in, *filters, *expected, *actual;
  check(cudaMalloc(&in, nIn * sizeof(float)));
  check(cudaMalloc(&filters, nKernel * sizeof(float)));
  check(cudaMalloc(&expected, nOut * sizeof(float)));
  check(cudaMalloc(&actual, nOut * sizeof(float)));
  fill<<<1024, 256>>>(in, nIn, 1);
  fill<<<1024, 256>>>(filters, nKernel, 7);
  check(cudaMemset(expected, 0xff, nOut * sizeof(float)));
  check(cudaMemset(actual, 0xff, nOut * sizeof(float)));
  const Layer layer{in, filters, channels, width, widthOut};

  float naiveMs = 1e30f;
  for (dim3 block :
       {dim3(32, 8, 1), dim3(16, 16, 1), dim3(32, 2, 2), dim3(32, 4, 2)}) {
    const dim3 grid((widthOut + block.x - 1) / block.x,
                    (widthOut + block.y - 1) / block.y,
                    (channels + block.z - 1) / block.z);
    naiveMs = std::min(naiveMs, median(3, [&] {
                         naive<radius>(layer, expected, grid, block);
                       }));
  }
  float tiledMs = median(5, [&] { check(tiled<radius>(layer, actual)); });

  std::vector<float> a(nOut), b(nOut);
  check(cudaMemcpy(a.data(), expected, nOut * sizeof(float),
                   cudaMemcpyDeviceToHost));
  check(cudaMemcpy(b.data(), actual, nOut * sizeof(float),
                   cudaMemcpyDeviceToHost));
  bool same = std::memcmp(a.data(), b.data(), nOut * sizeof(float)) == 0;
  bool poison = std::any_of(b.begin(), b.end(), [](float v) { return v != v; });
  double flops = 2.0 * nOut * channels * size * size;
  std::printf("| %-12s | %d | %8.3f | %6.2f | %8.3f | %6.2f | %5.2f | %5.1f %% "
              "| %s |\n",
              name, radius, naiveMs, flops / naiveMs * 1e-9, tiledMs,
              flops / tiledMs * 1e-9, naiveMs / tiledMs,
              100 * flops / tiledMs * 1e-9 / roof,
              same && !poison ? "bit-identical" : "DIFFERS");
  check(cudaFree(in));
  check(cudaFree(filters));
  check(cudaFree(expected));
  check(cudaFree(actual));
  if (!same || poison)
    std::exit(3);
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "tiled";
  const int channels = argc > 2 ? std::atoi(argv[2]) : 64;
  const int width = argc > 3 ? std::atoi(argv[3]) : 2048;
  double roof = ceiling();
  std::printf("# FFMA ceiling %.1f TFLOP/s\n", roof);
  measure<1>(name, channels, width, roof);
  measure<2>(name, channels, width, roof);
  measure<4>(name, channels, width, roof);
}
