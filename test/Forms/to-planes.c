// Bytes of which pixels lie together, in rows with a pitch, to planes of floats.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: s += in[y + i][x + j][c] / 255.0f * w[i][j]
// CHECK: S2: out[c][y][x] = s
#include <stddef.h>
#include <stdint.h>
void planes(const uint8_t *in, const float *w, float *out, size_t H, size_t W,
            size_t C, size_t K) {
  const size_t oh = H - K + 1, ow = W - K + 1;
  for (size_t y = 0; y < oh; y++)
    for (size_t x = 0; x < ow; x++)
      for (size_t c = 0; c < C; c++) {
        float s = 0;
        for (size_t i = 0; i < K; i++)
          for (size_t j = 0; j < K; j++)
            s += in[((y + i) * W + x + j) * C + c] / 255.0f * w[i * K + j];
        out[(c * oh + y) * ow + x] = s;
      }
}
