// One step of learning a filter: the gradient of half the squared error of a
// convolution, with respect to the filter, and descent along it.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

struct Shape {
  int batch, channels, maps, height, width, filter;
  int rows() const { return height - filter + 1; }
  int columns() const { return width - filter + 1; }
};

/// d[m][c][i][j] = sum of e[n][m][y][x] * in[n][c][y + i][x + j]
void filter_gradient(const Shape &s, const float *in, const float *e, float *d) {
  for (int m = 0; m < s.maps; ++m)
    for (int c = 0; c < s.channels; ++c)
      for (int i = 0; i < s.filter; ++i)
        for (int j = 0; j < s.filter; ++j) {
          float sum = 0;
          for (int n = 0; n < s.batch; ++n)
            for (int y = 0; y < s.rows(); ++y)
              for (int x = 0; x < s.columns(); ++x)
                sum += e[((n * s.maps + m) * s.rows() + y) * s.columns() + x] *
                       in[((n * s.channels + c) * s.height + y + i) * s.width +
                          x + j];
          d[((m * s.channels + c) * s.filter + i) * s.filter + j] = sum;
        }
}

int main(int argc, char **argv) {
  const Shape s{argc > 1 ? std::atoi(argv[1]) : 16, 8, 16, 34, 34, 3};
  const size_t ins = size_t(s.batch) * s.channels * s.height * s.width;
  const size_t outs = size_t(s.batch) * s.maps * s.rows() * s.columns();
  const size_t taps = size_t(s.maps) * s.channels * s.filter * s.filter;
  std::unique_ptr<float[]> in(new float[ins]), error(new float[outs]),
      weights(new float[taps]()), gradient(new float[taps]);
  for (size_t i = 0; i < ins; ++i)
    in[i] = float(i * 7 % 64) / 64 - 0.5f;
  for (size_t i = 0; i < outs; ++i)
    error[i] = float(i * 11 % 32) / 32 - 0.5f;

  filter_gradient(s, in.get(), error.get(), gradient.get());
  auto begin = std::chrono::steady_clock::now();
  for (int step = 0; step < 4; ++step) {
    filter_gradient(s, in.get(), error.get(), gradient.get());
    for (size_t i = 0; i < taps; ++i)
      weights[i] -= 0.001f * gradient[i];
  }
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, "gradient: %.3f ms a step\n", time.count() / 4);
  double norm = 0;
  for (size_t i = 0; i < taps; ++i)
    norm += double(weights[i]) * weights[i];
  std::printf("after 4 steps: weight 0 is %.6f, squared norm %.6f\n",
              weights[0], norm);
  return 0;
}
