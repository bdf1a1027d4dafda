// Pixels that a helper clamps by its own parameter, and an activation by cases.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:16,y:4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: sum[sum_i] = (float)(0)
// CHECK: sum[c] += guarded({{.*}}, src[y + i - 1][x + j - 1][c], border) * k[i][j]
static int inside(int u, int n) {
  if (u < 0)
    u = 0;
  if (u >= n)
    u = n - 1;
  return u;
}
static float activated(float v, int kind) {
  switch (kind) {
  case 1:
    return v < 0 ? 0 : v;
  case 2:
    return v * 0.5f;
  default:
    return v;
  }
}
void blur(const float *src, const float *k, float *dst, int h, int w,
          int kind) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum[3] = {0};
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          for (int c = 0; c < 3; c++)
            sum[c] += src[(inside(y + i - 1, h) * w + inside(x + j - 1, w)) * 3 + c] *
                      k[i * 3 + j];
      for (int c = 0; c < 3; c++)
        dst[(y * w + x) * 3 + c] = activated(sum[c], kind);
    }
}
