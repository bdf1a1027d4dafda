// What compare.sh builds: with EMITTED, an emitted file as a library for the
// sizes in LAYER; without, the program that loads both libraries of each layer
// and times them.

#ifdef EMITTED
#include EMITTED

static const int sizes[] = {
#include LAYER
};

extern "C" cudaError_t launch(const float *x, const float *w, float *y) {
  return conv_strided_tiled_launch(x, w, y, sizes[0], sizes[1], sizes[2],
                                   sizes[3], sizes[4], sizes[5], sizes[6],
                                   sizes[7], sizes[8], sizes[9], sizes[10], 0);
}

#else
#include <algorithm>
#include <cuda_runtime.h>
#include <cstdio>
#include <dlfcn.h>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static constexpr size_t Elements = size_t(5) << 28; // of an array, the largest
static constexpr size_t Cache = 256 << 20;          // bytes that flush it

__global__ void fill(float *p, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    p[i] = float(unsigned(i) * 2654435761u >> 16) / 65536.0f - 0.5f;
}

/// The median of a dozen launches in ms; negative where one fails.
static float time(const std::string &library, const float *x, const float *w,
                  float *y, char *flushed) {
  using Launch = cudaError_t(const float *, const float *, float *);
  void *handle = dlopen(library.c_str(), RTLD_NOW);
  auto *launch =
      handle ? reinterpret_cast<Launch *>(dlsym(handle, "launch")) : nullptr;
  if (!launch)
    return -1;
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  std::vector<float> times;
  for (int k = 0; k != 13; ++k) {
    cudaMemsetAsync(flushed, k, Cache);
    cudaEventRecord(start);
    if (launch(x, w, y) != cudaSuccess)
      return -1;
    cudaEventRecord(stop);
    if (cudaEventSynchronize(stop) != cudaSuccess)
      return -1;
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    if (k != 0)
      times.push_back(ms);
  }
  std::nth_element(times.begin(), times.begin() + 6, times.end());
  return times[6];
}

int main(int, char **argv) {
  float *x, *w, *y;
  char *flushed;
  if (cudaMalloc(&x, Elements * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&w, Cache) != cudaSuccess ||
      cudaMalloc(&y, Elements * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&flushed, Cache) != cudaSuccess) {
    std::puts("no memory");
    return 1;
  }
  fill<<<1024, 256>>>(x, Elements);
  fill<<<1024, 256>>>(w, Cache / sizeof(float));
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("%s\n| layer | before, ms | after, ms | after / before |\n"
              "|---|---:|---:|---:|\n",
              device.name);
  int status = 0;
  for (std::string line, name; std::getline(std::cin, line);) {
    std::istringstream(line) >> name;
    const std::string stem = std::string(argv[1]) + "/" + name;
    const float before = time(stem + "-before.so", x, w, y, flushed),
                after = time(stem + "-after.so", x, w, y, flushed);
    std::printf("| %s | %.4g | %.4g | %.2f |\n", name.c_str(), before, after,
                after / before);
    status |= before < 0 || after < 0;
  }
  return status;
}
#endif
