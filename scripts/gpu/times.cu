// Times `run` of each library that is given, on arrays of floats: tiles.sh and
// turns.sh build them.
#include <cstdio>
#include <dlfcn.h>
#include <random>
#include <string>
#include <vector>

int main(int count, char **libraries) {
  constexpr size_t elements = size_t(1) << 26;
  constexpr int arrays = 6, runs = 9;
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
  for (int k = 1; k < count; ++k) {
    std::string name = libraries[k];
    void *library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
    auto *run = library ? (int (*)(float **))dlsym(library, "run") : nullptr;
    float least = 1e30f;
    int error = run == nullptr;
    for (int r = 0; r != runs && error == 0; ++r) {
      cudaEventRecord(begin);
      error = run(a);
      cudaEventRecord(end);
      error |= cudaEventSynchronize(end) | cudaGetLastError();
      float ms;
      cudaEventElapsedTime(&ms, begin, end);
      least = ms < least ? ms : least;
    }
    name = name.substr(2, name.size() - 5);
    for (char &c : name)
      c = c == '-' ? ' ' : c;
    if (error == 0)
      std::printf("%.4f %s\n", least, name.c_str());
    else
      std::printf("refused %s\n", name.c_str());
  }
}
