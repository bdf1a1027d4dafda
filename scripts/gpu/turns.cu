// Times CALL, of a launcher, a[] being arrays of floats: turns.sh defines it.
#include <cstdio>
#include <random>
#include <vector>

int main() {
  constexpr size_t elements = size_t(1) << 26;
  constexpr int arrays = 6, runs = 7;
  std::vector<float> values(elements);
  std::mt19937 random(1);
  for (float &v : values)
    v = 1e-3f * (int(random() % 2001) - 1000);
  float *a[arrays];
  for (float *&p : a) {
    cudaMalloc(&p, elements * sizeof(float));
    cudaMemcpy(p, values.data(), elements * sizeof(float),
               cudaMemcpyHostToDevice);
  }
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float least = 1e30f;
  for (int run = 0; run != runs; ++run) {
    cudaEventRecord(begin);
    const cudaError_t error = CALL;
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    if (error != cudaSuccess || cudaGetLastError() != cudaSuccess) {
      std::printf("refused\n");
      return 1;
    }
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    least = ms < least ? ms : least;
  }
  std::printf("%.4f ms\n", least);
}
