// Max pooling by a branch on data.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <float.h>

// CHECK: S1: m = (x[c][oy * stride + i][ox * stride + j] > m ? (float)(x[c][oy * stride + i][ox * stride + j]) : m)
void max_pool(const float *x, float *y, int C, int H, int W, int K, int stride) {
  const int OH = (H - K) / stride + 1;
  const int OW = (W - K) / stride + 1;
  for (int c = 0; c < C; c++)
    for (int oy = 0; oy < OH; oy++)
      for (int ox = 0; ox < OW; ox++) {
        float m = -FLT_MAX;
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            if (x[(c * H + oy * stride + i) * W + ox * stride + j] > m)
              m = x[(c * H + oy * stride + i) * W + ox * stride + j];
        y[(c * OH + oy) * OW + ox] = m;
      }
}
