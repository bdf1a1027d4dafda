// Loops that step by two, with indices of the output beside them.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: s += in[2 * y + i][2 * x + j] * w[i][j]
// CHECK: S2: out[y][x] = s
void conv(const float *in, const float *w, float *out, int H, int W, int K) {
  int oy = 0;
  for (int y = 0; y <= H - K; y += 2, oy++) {
    int ox = 0;
    for (int x = 0; x <= W - K; x += 2) {
      float s = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[(y + i) * W + x + j] * w[i * K + j];
      out[oy * ((W - K) / 2 + 1) + ox++] = s;
    }
  }
}
