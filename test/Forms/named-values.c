// The gradient of a layer's weights, whose values have names: the nest is the
// one in which they are written out.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -emit=nest -- -DPLAIN | FileCheck %s
// RUN: %convopt %s -o %t.cu -verify=cpu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK-NOT:  local
// CHECK:      for n in 0 .. N {
// CHECK-NEXT:   for m in 0 .. M {
// CHECK-NEXT:     for y in 0 .. H - K + 1 {
// CHECK-NEXT:       for x in 0 .. W - K + 1 {
// CHECK-NEXT:         for i in 0 .. K {
// CHECK-NEXT:           for j in 0 .. K {
// CHECK-NEXT:             S0: dw[m][i][j] += (float)({{\(?}}0.5 * dy[n][m][y][x]{{\)?}}) * in[n][y + i][x + j]
void gradient(const float *in, const float *dy, float *dw, int N, int M, int H,
              int W, int K) {
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int y = 0; y < H - K + 1; y++)
        for (int x = 0; x < W - K + 1; x++) {
          int at = ((n * M + m) * (H - K + 1) + y) * (W - K + 1) + x;
#ifdef PLAIN
#define G (float)(0.5 * dy[at])
#else
          float d = dy[at], G = 0.5 * d;
#endif
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
#ifdef PLAIN
              dw[(m * K + i) * K + j] += G * in[(n * H + y + i) * W + x + j];
#else
              float v = in[(n * H + y + i) * W + x + j];
              float product = G * v;
              dw[(m * K + i) * K + j] += product;
#endif
            }
        }
}
