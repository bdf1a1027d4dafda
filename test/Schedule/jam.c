// Loops that stand side by side under one loop are jammed, whichever loops of
// sums are outside of theirs, and so are those of a fill and of an activation.
//
// RUN: %convopt %s -emit=schedule | FileCheck %s
// RUN: %convopt %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: %convopt %s -o %t.cu -verify=cpu -shape=C=3,O=5,H=6,W=7 -shape=C=1,O=1,H=1,W=1

void layer(const float *x, const float *w, const float *bias, float *y, int C,
           int O, int H, int W) {
  for (int o = 0; o < O; o++) {
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++)
        y[(o * H + i) * W + j] = bias[o];
    for (int c = 0; c < C; c++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++)
              y[(o * H + i) * W + j] +=
                  x[(c * (H + 2) + i + a) * (W + 2) + j + b] *
                  w[((o * C + c) * 3 + a) * 3 + b];
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++)
        if (y[(o * H + i) * W + j] < 0)
          y[(o * H + i) * W + j] = 0;
  }
}

// CHECK:      interchange=i_2,c,a,b
// CHECK-NEXT: jam=i,i_2
// CHECK-NEXT: jam=i,i_3
// CHECK-NEXT: interchange=j_2,c,a,b
// CHECK-NEXT: jam=j,j_2
// CHECK-NEXT: jam=j,j_3
// CHECK-NEXT: scalar-replace=y

// SUMMARY-NOT: runs in one thread
// SUMMARY: layer_tiled: {{.*}}outputs a thread{{.*}}; 'x', 'w' in shared memory
