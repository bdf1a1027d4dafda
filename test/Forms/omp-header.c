// A layer with OpenMP, whose header clang has not.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: nest conv_layer_{{nest}}
// CHECK: sum += in[c]
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
float *conv_layer(const float *restrict in, const float *restrict w, const float *restrict bias, int cin, int cout, int h, int wd, int k, int stride, int *out_h, int *out_w) {
  *out_h = (h - k) / stride + 1;
  *out_w = (wd - k) / stride + 1;
  float *out = (float *)malloc(sizeof(float) * cout * *out_h * *out_w);
  if (!out) return NULL;
  const double start = omp_get_wtime();
  #pragma omp parallel for collapse(2) schedule(static)
  for (int o = 0; o < cout; o++)
    for (int y = 0; y < *out_h; y++)
      for (int x = 0; x < *out_w; x++) {
        float sum = bias ? bias[o] : 0;
        for (int c = 0; c < cin; c++)
          for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++)
              sum += in[c * h * wd + (y * stride + i) * wd + x * stride + j] * w[o * cin * k * k + c * k * k + i * k + j];
        out[o * *out_h * *out_w + y * *out_w + x] = sum;
      }
  fprintf(stderr, "%g s with %d threads\n", omp_get_wtime() - start,
          omp_get_max_threads());
  return out;
}
