// Windows that end with the image by the loops' conditions, as many as fit when rounded up.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for u in 0 .. min(K, H - i * S) {
// CHECK: S2: m = (t > m ? t : m)
void pool(const float *x, float *y, int C, int H, int W, int K, int S) {
  int OH = (H - K + S - 1) / S + 1, OW = (W - K + S - 1) / S + 1;
  for (int c = 0; c < C; c++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float m = x[(c * H + i * S) * W + j * S];
        for (int u = 0; u < K && i * S + u < H; u++)
          for (int v = 0; v < K && j * S + v < W; v++) {
            float t = x[(c * H + i * S + u) * W + j * S + v];
            m = t > m ? t : m;
          }
        y[(c * OH + i) * OW + j] = m;
      }
}
