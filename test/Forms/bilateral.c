// Weights that depend on the pixel itself, and two sums.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: local weight
// CHECK: norm += weight
#include <math.h>
void bilateral(const float *in, float *out, int h, int w, int r, float space,
               float range) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      float sum = 0, norm = 0;
      const float centre = in[y * w + x];
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          const float v = in[(y + i) * w + x + j];
          const float weight = expf(-(float)(i * i + j * j) / space -
                                    (v - centre) * (v - centre) / range);
          sum += v * weight;
          norm += weight;
        }
      out[y * w + x] = sum / norm;
    }
}
