// RUN: %host %s %t
// CALL: layer_norm(5, 33)
// CALL: layer_norm(70, 4)
// CALL: layer_norm(1, 1)
// CALL: layer_norm(33, 131)
// Mean and scale of a row are arrays; the variance stays in a register of the
// thread that adds it up, though the source declares it with the mean.
#include <math.h>

void layer_norm(int n, int m, const float *x, const float *scale,
                const float *shift, float *y) {
  for (int i = 0; i < n; i++) {
    float mean = 0, var = 0;
    for (int j = 0; j < m; j++)
      mean += x[i * m + j];
    mean /= m;
    for (int j = 0; j < m; j++) {
      float d = x[i * m + j] - mean;
      var += d * d;
    }
    float inverse = 1 / sqrtf(var / m + 1e-5f);
    for (int j = 0; j < m; j++)
      y[i * m + j] = (x[i * m + j] - mean) * inverse * scale[j] + shift[j];
  }
}
