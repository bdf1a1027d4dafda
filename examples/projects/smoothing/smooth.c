#include "smooth.h"

void smooth(const float *image, const float *weights, float *result, int height,
            int width, int radius) {
  const int taps = 2 * radius + 1, pitch = width + 2 * radius;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float sum = 0.0f;
      for (int i = 0; i < taps; ++i)
        for (int j = 0; j < taps; ++j)
          sum += image[(y + i) * pitch + x + j] * (weights[i] * weights[j]);
      result[y * width + x] = sum;
    }
}
