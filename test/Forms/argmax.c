// The greatest of a window and where it was.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: taken = x
// CHECK-NEXT: best = taken
// CHECK-NEXT: where = taken
void maxpool(const float *x, float *y, int *idx, int C, int H, int W, int k, int s) {
  int OH = (H - k) / s + 1, OW = (W - k) / s + 1;
  for (int c = 0; c < C; c++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float best = -3.4e38f; int where = -1;
        for (int u = 0; u < k; u++)
          for (int v = 0; v < k; v++) {
            int at = (c * H + i * s + u) * W + j * s + v;
            if (x[at] > best) { best = x[at]; where = at; }
          }
        y[(c * OH + i) * OW + j] = best;
        idx[(c * OH + i) * OW + j] = where;
      }
}
