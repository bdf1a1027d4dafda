// A causal sum over time for each channel, whose taps come to an end with it.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for j in 0 .. t + 1 {
// CHECK: S1: s += k[h][j] * u[b][h][t - j]
void causal(const float *u, const float *k, const float *d, float *y, int B,
            int H, int L) {
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++) {
      const float *uu = u + (b * H + h) * L;
      const float *kk = k + h * L;
      for (int t = 0; t < L; t++) {
        float s = d[h] * uu[t];
        for (int j = 0; j <= t; j++)
          s += kk[j] * uu[t - j];
        y[(b * H + h) * L + t] = s;
      }
    }
}
