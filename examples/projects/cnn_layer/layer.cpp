#include "layer.h"
#include <cstddef>

namespace nn {

ConvLayer::ConvLayer(int inputs, int outputs, int size)
    : inputs(inputs), outputs(outputs), size(size),
      weights(size_t(outputs) * inputs * size * size), bias(outputs) {
  for (size_t i = 0; i < weights.size(); i++)
    weights[i] = float(i * 193 % 101) / 505.0f - 0.1f;
  for (size_t i = 0; i < bias.size(); i++)
    bias[i] = 0.01f * float(i);
}

std::vector<float> ConvLayer::forward(const std::vector<float> &in, int height,
                                      int width) const {
  std::vector<float> out(size_t(outputs) * height * width);
  const int pad = size / 2;
  for (int o = 0; o < outputs; o++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        float sum = bias[o];
        for (int c = 0; c < inputs; c++)
          for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) {
              int row = y + i - pad, column = x + j - pad;
              if (row >= 0 && row < height && column >= 0 && column < width)
                sum += in[(c * height + row) * width + column] *
                       weights[((o * inputs + c) * size + i) * size + j];
            }
        out[(o * height + y) * width + x] = sum > 0 ? sum : 0;
      }
  return out;
}

} // namespace nn
