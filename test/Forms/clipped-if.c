// Windows that end where the image does, by `if`.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: for y in max(0, oy * S - P) .. min(H, oy * S + K - P) {
// CHECK-NEXT: for x in max(0, ox * S - P) .. min(W, ox * S + K - P) {
// CHECK: S1: s += in[y][x]
void average(const float *in, float *out, int H, int W, int K, int S, int P,
             int OH, int OW) {
  for (int oy = 0; oy < OH; oy++)
    for (int ox = 0; ox < OW; ox++) {
      int y0 = oy * S - P, x0 = ox * S - P;
      int y1 = y0 + K, x1 = x0 + K;
      if (y0 < 0)
        y0 = 0;
      if (x0 < 0) {
        x0 = 0;
      }
      if (y1 > H)
        y1 = H;
      if (x1 > W)
        x1 = W;
      float s = 0;
      for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
          s += in[y * W + x];
      out[oy * OW + ox] = s / (float)(K * K);
    }
}
