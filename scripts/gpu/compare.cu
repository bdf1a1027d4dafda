// What compare.sh builds: with EMITTED, an emitted file as a library for the
// sizes in LAYER, those of matrices with MATRICES; without, the program that
// loads the libraries DIR/NAME-NUMBER.so whose names and numbers it reads, and
// times each in as many launches as the second argument says, beside cuBLAS
// where the name is one of matrices, as 512x784x4608. It counts launches whose
// outputs have other bits than those of the kernel's first.

#ifdef EMITTED
#include EMITTED

static const int sizes[] = {
#include LAYER
};

#ifdef MATRICES
extern "C" cudaError_t launch(const float *a, const float *b, float *c) {
  return product_tiled_launch(a, b, c, sizes[0], sizes[1], sizes[2], 0);
}

extern "C" size_t outputs() { return size_t(sizes[0]) * sizes[1]; }
#else
extern "C" cudaError_t launch(const float *x, const float *w, float *y) {
  return conv_strided_tiled_launch(x, w, y, sizes[0], sizes[1], sizes[2],
                                   sizes[3], sizes[4], sizes[5], sizes[6],
                                   sizes[7], sizes[8], sizes[9], sizes[10], 0);
}

extern "C" size_t outputs() {
  auto along = [](int k) { // 0: rows, 1: columns
    return (sizes[2 + k] + 2 * sizes[7 + k] - sizes[5 + k]) / sizes[9 + k] + 1;
  };
  return size_t(sizes[0]) * sizes[4] * along(0) * along(1);
}
#endif

#else
#include <algorithm>
#include <cmath>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <iostream>
#include <string>
#include <vector>

static constexpr size_t Elements = size_t(5) << 28; // of an array, the largest
static constexpr size_t Cache = 256 << 20;          // bytes that flush it

__global__ void fill(float *p, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    p[i] = float(unsigned(i) * 2654435761u >> 16) / 65536.0f - 0.5f;
}

/// Sets \p differ where the bits of two arrays do.
__global__ void compareBits(const float *a, const float *b, size_t n,
                            int *differ) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    if (__float_as_uint(a[i]) != __float_as_uint(b[i]))
      *differ = 1;
}

struct Run {
  float ms = -1; // the median of all launches but one; negative where one fails
  std::vector<float> y;
  int changed = 0; // launches whose outputs have other bits than the first's
};

/// \p launch gives whether it went well.
template <typename Launch>
static Run timed(Launch launch, size_t outputs, int launches, const float *y,
                 char *flushed) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  std::vector<float> times;
  float *once;
  int *differ, changed = 0;
  cudaMalloc(&once, outputs * sizeof(float));
  cudaMallocManaged(&differ, sizeof(int));
  for (int k = 0; k != launches; ++k) {
    cudaMemsetAsync(flushed, k, Cache);
    cudaEventRecord(start);
    if (!launch())
      return {};
    cudaEventRecord(stop);
    if (cudaEventSynchronize(stop) != cudaSuccess)
      return {};
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    if (k != 0 || launches == 1)
      times.push_back(ms);
    if (k == 0) {
      cudaMemcpy(once, y, outputs * sizeof(float), cudaMemcpyDeviceToDevice);
      continue;
    }
    *differ = 0;
    compareBits<<<1024, 256>>>(y, once, outputs, differ);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return {};
    changed += *differ;
  }
  cudaFree(once);
  cudaFree(differ);
  const auto median = times.begin() + times.size() / 2;
  std::nth_element(times.begin(), median, times.end());
  Run done{*median, std::vector<float>(outputs), changed};
  cudaMemcpy(done.y.data(), y, done.y.size() * sizeof(float),
             cudaMemcpyDeviceToHost);
  return done;
}

static Run run(const std::string &library, int launches, const float *x,
               const float *w, float *y, char *flushed) {
  using Launch = cudaError_t(const float *, const float *, float *);
  void *handle = dlopen(library.c_str(), RTLD_NOW);
  auto *launch =
      handle ? reinterpret_cast<Launch *>(dlsym(handle, "launch")) : nullptr;
  auto *outputs =
      handle ? reinterpret_cast<size_t (*)()>(dlsym(handle, "outputs"))
             : nullptr;
  if (!launch || !outputs)
    return {};
  return timed([&] { return launch(x, w, y) == cudaSuccess; }, outputs(),
               launches, y, flushed);
}

/// The product of \p m x \p l by \p l x \p n elements by cuBLAS, in FP32.
static Run runCublas(int m, int n, int l, int launches, const float *a,
                     const float *b, float *c, char *flushed) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made;
    cublasCreate(&made);
    cublasSetMathMode(made, CUBLAS_PEDANTIC_MATH);
    return made;
  }();
  const float one = 1, zero = 0;
  return timed(
      [&] { // of columns: the transposed product
        return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, l, &one, b,
                           n, a, l, &zero, c, n) == CUBLAS_STATUS_SUCCESS;
      },
      size_t(m) * n, launches, c, flushed);
}

/// The largest difference, of the largest output.
static double difference(const std::vector<float> &a,
                         const std::vector<float> &b) {
  double most = 0, largest = 0;
  for (size_t k = 0; k != std::min(a.size(), b.size()); ++k) {
    most = std::max(most, std::fabs(double(a[k]) - b[k]));
    largest = std::max(largest, std::fabs(double(a[k])));
  }
  return largest == 0 ? most : most / largest;
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
  std::printf("%s\n| layer | kernel | ms | by the first | outputs differ by "
              "| launches with other bits |\n|---|---:|---:|---:|---:|---:|\n",
              device.name);
  const std::string dir = argv[1];
  const int launches = std::atoi(argv[2]);
  std::string layer;
  Run first;
  int status = 0;
  for (std::string name, number; std::cin >> name >> number;) {
    Run next =
        run(dir + "/" + name + "-" + number + ".so", launches, x, w, y, flushed);
    auto print = [&](const char *kernel, const Run &done) {
      std::printf("| %s | %s | %.4g | %.2f | %.2g | %d |\n", name.c_str(),
                  kernel, done.ms, done.ms / first.ms,
                  difference(first.y, done.y), done.changed);
      std::fflush(stdout);
      status |= done.ms < 0;
    };
    const bool isFirst = name != layer;
    if (isFirst)
      first = next;
    layer = name;
    print(number.c_str(), next);
    int m, n, l;
    if (isFirst && std::sscanf(name.c_str(), "%dx%dx%d", &m, &n, &l) == 3)
      print("cuBLAS", runCublas(m, n, l, launches, x, w, y, flushed));
  }
  return status;
}
#endif
