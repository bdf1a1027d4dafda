// A small network for pictures of digits: two layers of different sizes, each
// followed by an activation and a maximum over 2 x 2 pixels.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

class ConvLayer {
public:
  ConvLayer(int inputs, int outputs, int size)
      : inputs(inputs), outputs(outputs), size(size),
        weights(outputs * inputs * size * size), bias(outputs) {
    for (size_t i = 0; i < weights.size(); i++)
      weights[i] = float(i * 193 % 101) / 505.0f - 0.1f;
    for (size_t i = 0; i < bias.size(); i++)
      bias[i] = 0.01f * float(i);
  }

  /// Of \p batch pictures of \p height x \p width.
  std::vector<float> forward(const std::vector<float> &in, int batch,
                             int height, int width) const {
    const int rows = height - size + 1, columns = width - size + 1;
    std::vector<float> out(size_t(batch) * outputs * rows * columns);
    for (int n = 0; n < batch; n++)
      for (int o = 0; o < outputs; o++)
        for (int y = 0; y < rows; y++)
          for (int x = 0; x < columns; x++) {
            float sum = bias[o];
            for (int c = 0; c < inputs; c++)
              for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++)
                  sum += in[((n * inputs + c) * height + y + i) * width + x + j] *
                         weights[((o * inputs + c) * size + i) * size + j];
            out[((n * outputs + o) * rows + y) * columns + x] =
                sum > 0 ? sum : 0;
          }
    return out;
  }

private:
  int inputs, outputs, size;
  std::vector<float> weights, bias;
};

static std::vector<float> pool(const std::vector<float> &in, int planes,
                               int height, int width) {
  std::vector<float> out(size_t(planes) * (height / 2) * (width / 2));
  for (int p = 0; p < planes; p++)
    for (int y = 0; y < height / 2; y++)
      for (int x = 0; x < width / 2; x++) {
        float most = in[(p * height + 2 * y) * width + 2 * x];
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++) {
            float v = in[(p * height + 2 * y + i) * width + 2 * x + j];
            if (v > most)
              most = v;
          }
        out[(p * (height / 2) + y) * (width / 2) + x] = most;
      }
  return out;
}

int main(int argc, char **argv) {
  const int batch = argc > 1 ? std::atoi(argv[1]) : 32;
  const ConvLayer first(1, 8, 5), second(8, 16, 5);
  std::vector<float> pictures(size_t(batch) * 28 * 28);
  for (size_t i = 0; i < pictures.size(); i++)
    pictures[i] = float(i * 31 % 256) / 255.0f;

  std::vector<float> result;
  for (int round = 0; round < 2; round++) { // the first one warms up
    auto begin = std::chrono::steady_clock::now();
    std::vector<float> a = first.forward(pictures, batch, 28, 28);
    std::vector<float> b = pool(a, batch * 8, 24, 24);
    std::vector<float> c = second.forward(b, batch, 12, 12);
    result = pool(c, batch * 16, 8, 8);
    std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;
    if (round == 1)
      std::fprintf(stderr, "small cnn: %.3f ms\n", time.count());
  }
  double sum = 0;
  for (float v : result)
    sum += v;
  std::printf("%zu features of %d pictures: sum %.5f, first %.6f\n",
              result.size(), batch, sum, result[0]);
  return 0;
}
