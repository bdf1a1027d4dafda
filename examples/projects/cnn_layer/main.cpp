#include "layer.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  const int height = argc > 1 ? std::atoi(argv[1]) : 96, width = height * 4 / 3;
  const nn::ConvLayer first(3, 16, 5), second(16, 32, 3);
  std::vector<float> image(size_t(3) * height * width);
  for (size_t i = 0; i < image.size(); i++)
    image[i] = float(i * 37 % 256) / 256;

  std::vector<float> features;
  for (int round = 0; round < 2; round++) { // the second is timed
    const auto begin = std::chrono::steady_clock::now();
    features =
        second.forward(first.forward(image, height, width), height, width);
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;
    if (round)
      std::fprintf(stderr, "two layers: %.3f ms\n", time.count());
  }
  double total = 0;
  for (float f : features)
    total += f;
  std::printf("%zu features: mean %.6f, last %.6f\n", features.size(),
              total / double(features.size()), features.back());
}
