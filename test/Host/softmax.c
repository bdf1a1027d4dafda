// RUN: %host %s %t
// CALL: softmax(5, 33)
// CALL: softmax(70, 4)
// CALL: softmax(1, 1)
// CALL: softmax(33, 131)
// The largest element and the sum of a row are arrays while four kernels run in
// turn: two have a thread for each row, two for each element.
#include <math.h>

void softmax(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float most = -INFINITY;
    for (int j = 0; j < m; j++)
      most = fmaxf(most, x[i * m + j]);
    float sum = 0;
    for (int j = 0; j < m; j++) {
      y[i * m + j] = expf(x[i * m + j] - most);
      sum += y[i * m + j];
    }
    for (int j = 0; j < m; j++)
      y[i * m + j] /= sum;
  }
}
