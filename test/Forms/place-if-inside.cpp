// A helper that sets an index only where there is a pixel.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -shape=H=6,W=9,K=3,p=1 -shape=H=9,W=12,K=5,p=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: if y + i - p >= 0 and H + p - y - i - 1 >= 0 and x + j - p >= 0 and W + p - x - j - 1 >= 0 {
// CHECK-NEXT: S1: a += in[y + i - p][x + j - p] * w[i][j]
static bool at(int y, int x, int H, int W, int &index) {
  if (y < 0 || y >= H || x < 0 || x >= W)
    return false;
  index = y * W + x;
  return true;
}
void conv(const float *in, const float *w, float *out, int H, int W, int K,
          int p) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float a = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          int index;
          if (at(y + i - p, x + j - p, H, W, index))
            a += in[index] * w[i * K + j];
        }
      out[y * W + x] = a;
    }
}
