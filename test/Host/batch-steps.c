// Steps of a batch that have loops of their own: the launcher runs the steps,
// and threads have the batch as well as these.
// RUN: %convopt %s -function=factor -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=LU
// RUN: FileCheck %s --check-prefix=STEPS < %t.cu
// RUN: %convopt %s -function=forward -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=FORWARD
// A batch that has a thread for each place of the device keeps its steps.
// RUN: sed 's/m < b/m < 70000/' %s > %t.c
// RUN: %convopt %t.c -function=factor -o %t.cu 2>&1 | FileCheck %s --check-prefix=LARGE
// No step of a filter has anything for other threads.
// RUN: %convopt %s -function=filter -o %t.cu 2>&1 | FileCheck %s --check-prefix=FILTER
// LU: verified: {{[0-9]+}} shapes
// LU: factor_tiled_1: in each iteration of 'k'; {{.*}} threads a block
// LU: factor_tiled_2: in each iteration of 'k'; 32 x 8 threads a block
// STEPS: interchange=k,m
// STEPS: distribute=i
// FORWARD: verified: {{[0-9]+}} shapes
// FORWARD: forward_tiled_1: 32 x 8 threads a block
// FORWARD: forward_tiled_2: in each iteration of 't'; {{.*}} 'w' in shared memory
// LARGE: factor_tiled: {{.*}} all outputs along 'k', 'i', 'j' in a thread
// FILTER: filter_tiled: {{.*}}
#include <math.h>
void factor(float *a, int b, int n) {
  for (int m = 0; m < b; m++)
    for (int k = 0; k < n; k++)
      for (int i = k + 1; i < n; i++) {
        a[(m * n + i) * n + k] /= a[(m * n + k) * n + k];
        for (int j = k + 1; j < n; j++)
          a[(m * n + i) * n + j] -=
              a[(m * n + i) * n + k] * a[(m * n + k) * n + j];
      }
}
void forward(const float *e, const float *w, float *alpha, int B, int T,
             int K) {
  for (int b = 0; b < B; b++) {
    for (int k = 0; k < K; k++)
      alpha[b * T * K + k] = e[b * T * K + k];
    for (int t = 1; t < T; t++)
      for (int k = 0; k < K; k++) {
        float s = 0;
        for (int j = 0; j < K; j++)
          s += expf(alpha[(b * T + t - 1) * K + j] + w[j * K + k]);
        alpha[(b * T + t) * K + k] = e[(b * T + t) * K + k] + logf(s);
      }
  }
}
void filter(const float *x, float *y, int b, int n, float a) {
  for (int m = 0; m < b; m++)
    for (int t = 1; t < n; t++)
      y[m * n + t] = x[m * n + t] + a * y[m * n + t - 1];
}
