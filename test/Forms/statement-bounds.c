// MIN and MAX of the kind that evaluate their arguments once, in bounds and
// values.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#define MAX(a, b)                                                              \
  ({                                                                           \
    __typeof__(a) _a = (a);                                                    \
    __typeof__(b) _b = (b);                                                    \
    _a > _b ? _a : _b;                                                         \
  })
#define MIN(a, b)                                                              \
  ({                                                                           \
    __typeof__(a) _a = (a);                                                    \
    __typeof__(b) _b = (b);                                                    \
    _a < _b ? _a : _b;                                                         \
  })

// CHECK: for j in max(y - r, 0) .. min(y + r + 1, H) {
// CHECK:   for i in max(x - r, 0) .. min(x + r + 1, W) {
// CHECK:     S1: s += in[j][i] * f[j + r - y][i + r - x]
void blur(const float *in, const float *f, float *out, int W, int H, int r) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0.f;
      for (int j = MAX(y - r, 0); j <= MIN(y + r, H - 1); j++)
        for (int i = MAX(x - r, 0); i <= MIN(x + r, W - 1); i++)
          s += in[j * W + i] * f[(j - y + r) * (2 * r + 1) + i - x + r];
      out[y * W + x] = MIN(MAX(s, 0.0f), 1.0f);
    }
}
