// RUN: %host %s %t
// CALL: batch_norm(3, 2, 5, 7)
// CALL: batch_norm(1, 33, 1, 4)
// CALL: batch_norm(2, 1, 3, 70)
// Each channel's mean and variance; images go through memory three times, by
// rows.
#include <math.h>

void batch_norm(int n, int c, int h, int w, const float *x, const float *scale,
                const float *shift, float *y) {
  for (int k = 0; k < c; k++) {
    float mean = 0;
    for (int b = 0; b < n; b++)
      for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
          mean += x[((b * c + k) * h + i) * w + j];
    mean /= n * h * w;
    float var = 0;
    for (int b = 0; b < n; b++)
      for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
          float d = x[((b * c + k) * h + i) * w + j] - mean;
          var += d * d;
        }
    var /= n * h * w;
    for (int b = 0; b < n; b++)
      for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
          y[((b * c + k) * h + i) * w + j] =
              (x[((b * c + k) * h + i) * w + j] - mean) / sqrtf(var + 1e-5f) *
                  scale[k] +
              shift[k];
  }
}
