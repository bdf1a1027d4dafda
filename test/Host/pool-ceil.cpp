// RUN: %host %s %t
// A last window that would begin in the padding is left out, before the loops;
// std::min names sizes, and does not change them.
// CALL: pool(2, 3, 19, 33, 3, 2, 1)
// CALL: pool(1, 2, 32, 16, 2, 2, 0)
#include <algorithm>
#include <cfloat>

void pool(const float *in, float *out, int images, int channels, int height,
          int width, int size, int step, int pad) {
  int rows = (height + 2 * pad - size + step - 1) / step + 1;
  int columns = (width + 2 * pad - size + step - 1) / step + 1;
  if (pad) {
    if ((rows - 1) * step >= height + pad)
      --rows;
    if ((columns - 1) * step >= width + pad)
      --columns;
  }
  for (int n = 0; n < images; ++n)
    for (int c = 0; c < channels; ++c)
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
          int top = y * step - pad, left = x * step - pad;
          const int bottom = std::min(top + size, height);
          const int right = std::min(left + size, width);
          top = std::max(top, 0);
          left = std::max(left, 0);
          float most = -FLT_MAX;
          for (int i = top; i < bottom; ++i)
            for (int j = left; j < right; ++j)
              most = std::max(
                  most, in[((n * channels + c) * height + i) * width + j]);
          out[((n * channels + c) * rows + y) * columns + x] = most;
        }
}
