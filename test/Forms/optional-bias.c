// A bias that may be missing and a switch for the activation, in C.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <stddef.h>

enum Activation { LINEAR, RELU, LEAKY };

// CHECK: argument has_bias "int @" param from "bias" != 0
// CHECK: param has_bias: bool
// CHECK: S0: acc = 0.0f
// CHECK:      if has_bias - 1 >= 0 {
// CHECK-NEXT: S2: acc += bias[o]
// CHECK:      if 1 - act == 0 {
// CHECK-NEXT: S3: acc = (acc > 0 ? acc : 0)
// CHECK:      if {{.*}} and 2 - act == 0 {
// CHECK-NEXT: S4: acc = (acc > 0 ? acc : 0.1f * acc)
// CHECK:      S5: y[o][oy][ox] = acc
void conv2d(const float *x, const float *w, const float *bias, float *y, int C,
            int H, int W, int O, int K, enum Activation act) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int o = 0; o < O; o++)
    for (int oy = 0; oy < OH; oy++)
      for (int ox = 0; ox < OW; ox++) {
        float acc = 0.0f;
        for (int c = 0; c < C; c++)
          for (int ky = 0; ky < K; ky++)
            for (int kx = 0; kx < K; kx++)
              acc += x[(c * H + oy + ky) * W + ox + kx] *
                     w[((o * C + c) * K + ky) * K + kx];
        if (bias != NULL)
          acc += bias[o];
        if (act == RELU)
          acc = acc > 0 ? acc : 0;
        else if (act == LEAKY)
          acc = acc > 0 ? acc : 0.1f * acc;
        y[(o * OH + oy) * OW + ox] = acc;
      }
}
