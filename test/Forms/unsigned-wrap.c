// Unsigned places that are very large beyond the first row and column.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: if y + i - pad >= 0 and H + pad - y - i - 1 >= 0 and x + j - pad >= 0 and W + pad - x - j - 1 >= 0 {
#include <stddef.h>
void conv(const float *in, const float *w, float *out, size_t H, size_t W,
          size_t K, size_t pad) {
  for (size_t y = 0; y < H; y++)
    for (size_t x = 0; x < W; x++) {
      float s = 0;
      for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++) {
          size_t u = y + i - pad, v = x + j - pad;
          if (u < H && v < W)
            s += in[u * W + v] * w[i * K + j];
        }
      out[y * W + x] = s;
    }
}
