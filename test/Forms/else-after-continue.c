// A padding value in one branch, which goes on, and the image in the other.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK-COUNT-4: s += pv * w
// CHECK: s += x[i + a
void conv(const float *x, const float *w, float *y, int H, int W, int K, float pv) {
  int P = K / 2;
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      float s = 0;
      for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++) {
          int r = i + a - P, c = j + b - P;
          if (r < 0 || r >= H || c < 0 || c >= W) { s += pv * w[a * K + b]; continue; }
          else s += x[r * W + c] * w[a * K + b];
        }
      y[i * W + j] = s;
    }
}
