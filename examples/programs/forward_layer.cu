// The forward pass of a convolution layer as a course has it: a kernel with
// one thread for each output, its launch, and a program that checks and times
// it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define TILE 16
#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = (call);                                               \
    if (status != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                  \
                   cudaGetErrorString(status));                                \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

/// y[b][m][h][w] = sum of x[b][c][h + p][w + q] * k[m][c][p][q]
__global__ void forward_kernel(float *y, const float *x, const float *k, int B,
                               int M, int C, int H, int W, int K) {
  const int H_out = H - K + 1;
  const int W_out = W - K + 1;
  const int W_grid = (W_out + TILE - 1) / TILE;

#define y4d(i3, i2, i1, i0) y[((i3) * M + (i2)) * (H_out * W_out) + (i1) * W_out + (i0)]
#define x4d(i3, i2, i1, i0) x[(i3) * (C * H * W) + (i2) * (H * W) + (i1) * W + (i0)]
#define k4d(i3, i2, i1, i0) k[(i3) * (C * K * K) + (i2) * (K * K) + (i1) * K + (i0)]

  int b = blockIdx.x;
  int m = blockIdx.y;
  int h = (blockIdx.z / W_grid) * TILE + threadIdx.y;
  int w = (blockIdx.z % W_grid) * TILE + threadIdx.x;
  if (h < H_out && w < W_out) {
    float acc = 0.0f;
    for (int c = 0; c < C; c++)
      for (int p = 0; p < K; p++)
        for (int q = 0; q < K; q++)
          acc += x4d(b, c, h + p, w + q) * k4d(m, c, p, q);
    y4d(b, m, h, w) = acc;
  }

#undef y4d
#undef x4d
#undef k4d
}

struct Layer {
  int batch, maps, channels, height, width, filter;
};

static void forward(const Layer &l, float *y, const float *x, const float *k) {
  const int H_out = l.height - l.filter + 1;
  const int W_out = l.width - l.filter + 1;
  const int tiles = ((H_out + TILE - 1) / TILE) * ((W_out + TILE - 1) / TILE);
  dim3 grid(l.batch, l.maps, tiles);
  dim3 block(TILE, TILE, 1);
  forward_kernel<<<grid, block>>>(y, x, k, l.batch, l.maps, l.channels,
                                  l.height, l.width, l.filter);
  CHECK(cudaGetLastError());
}

static float value(size_t i) { return float(i * 2654435761u % 2001) / 1000 - 1; }

static float *onDevice(const std::vector<float> &host) {
  float *device;
  CHECK(cudaMalloc(&device, host.size() * sizeof(float)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  return device;
}

static void run(const Layer &l) {
  const size_t H_out = l.height - l.filter + 1, W_out = l.width - l.filter + 1;
  std::vector<float> x(size_t(l.batch) * l.channels * l.height * l.width),
      k(size_t(l.maps) * l.channels * l.filter * l.filter),
      y(size_t(l.batch) * l.maps * H_out * W_out);
  for (size_t i = 0; i < x.size(); i++)
    x[i] = value(i);
  for (size_t i = 0; i < k.size(); i++)
    k[i] = value(3 * i + 1);
  float *dx = onDevice(x), *dk = onDevice(k), *dy = onDevice(y);

  forward(l, dy, dx, dk);
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < 10; i++)
    forward(l, dy, dx, dk);
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  std::fprintf(stderr, "forward layer: %.4f ms\n", ms / 10);

  CHECK(cudaMemcpy(y.data(), dy, y.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  double sum = 0;
  for (float v : y)
    sum += v;
  std::printf("%dx%dx%dx%d by %d filters of %d: sum %.6f, first %.6f, last "
              "%.6f\n",
              l.batch, l.channels, l.height, l.width, l.maps, l.filter, sum,
              y.front(), y.back());
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dk));
  CHECK(cudaFree(dy));
}

int main(int argc, char **argv) {
  const int batch = argc > 1 ? std::atoi(argv[1]) : 100;
  run({batch, 4, 1, 86, 86, 7});
  run({batch, 16, 4, 40, 40, 7});
  return 0;
}
