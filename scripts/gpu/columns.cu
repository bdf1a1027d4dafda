// What columns.sh builds: the time of the kernel in EMITTED that stores the
// image's columns, for the sizes in LAYER, and that of a copy.

// The launcher's kernels run between events of their own.
#include EMITTED
#include <algorithm>
#include <vector>

static const int sizes[] = {
#include LAYER
};
static constexpr size_t Cache = 256 << 20; // bytes that flush it

/// The median of \p run's times, in us, each with a cold L2.
template <typename Run> static double timed(char *flushed, Run run) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  std::vector<float> times;
  for (int k = 0; k != 15; ++k) {
    cudaMemsetAsync(flushed, k, Cache);
    cudaEventRecord(start);
    run();
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return 1000 * times[times.size() / 2];
}

/// The kernel, whose matrices lie below 2^31 elements: of an emitted template,
/// the instance with offsets of an int.
using Pack = void (*)(const float *, float *, int, int, int, int, int, int, int,
                      int, int, int, int);
#ifdef WIDE
static const Pack pack = conv_strided_tiled_pack_x_g<int>;
#else
static const Pack pack = conv_strided_tiled_pack_x_g;
#endif

int main() {
  const auto [n, c, h, w, k, r, s, padH, padW, strideH, strideW] = sizes;
  const size_t read = sizeof(float) * n * c * h * w,
               written = sizeof(float) * size_t(ELEMENTS);
  char *from, *to, *flushed;
  if (cudaMalloc(&from, std::max(read, (read + written) / 2)) ||
      cudaMalloc(&to, std::max(written, (read + written) / 2)) ||
      cudaMalloc(&flushed, Cache)) {
    std::puts("no memory");
    return 1;
  }
  const double packing = timed(flushed, [&] {
    pack<<<BLOCKS, 256>>>((const float *)from, (float *)to, n, c, h, w, k, r, s,
                          padH, padW, strideH, strideW);
  });
  const size_t half = (read + written) / 2;
  const double copy = timed(flushed, [&] {
    cudaMemcpyAsync(to, from, half, cudaMemcpyDeviceToDevice);
  });
  const double bytes = read + written;
  std::printf("| %.1f | %.1f | %.1f | %.0f | %.1f | %.0f | %.2f |%s\n",
              read / 1e6, written / 1e6, packing, bytes / packing / 1e3, copy,
              bytes / copy / 1e3, copy / packing,
              cudaGetLastError() == cudaSuccess ? "" : " failed");
}
