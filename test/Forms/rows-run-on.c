// Only the place in the whole image is tested, so that taps beyond a row are those of the next one.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: if {{.*}} >= 0 and H * W - {{.*}} - 1 >= 0 {
// CHECK: S1: s += in[y * W + x + t] * w[t + r]
void smooth(const float *in, const float *w, float *out, int H, int W, int r) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int t = -r; t <= r; t++) {
        int p = y * W + x + t;
        if (p >= 0 && p < H * W)
          s += in[p] * w[t + r];
      }
      out[y * W + x] = s;
    }
}
