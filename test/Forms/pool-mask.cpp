// The greatest of a clipped window and where it is, from the least number.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: taken = in[
#include <limits>
#include <algorithm>
void maxpool(const float *in, float *out, int *mask, int n, int c, int h, int w, int k, int s, int p) {
  const int oh = (h + 2 * p - k) / s + 1, ow = (w + 2 * p - k) / s + 1;
  for (int b = 0; b < n; ++b)
    for (int ch = 0; ch < c; ++ch)
      for (int i = 0; i < oh; ++i)
        for (int j = 0; j < ow; ++j) {
          int hs = i * s - p, ws = j * s - p;
          int he = std::min(hs + k, h), we = std::min(ws + k, w);
          hs = std::max(hs, 0); ws = std::max(ws, 0);
          float m = -std::numeric_limits<float>::max();
          int idx = -1;
          for (int y = hs; y < he; ++y)
            for (int x = ws; x < we; ++x) {
              const int at = y * w + x;
              if (in[((b * c + ch) * h) * w + at] > m) { idx = at; m = in[((b * c + ch) * h) * w + at]; }
            }
          out[((b * c + ch) * oh + i) * ow + j] = m;
          mask[((b * c + ch) * oh + i) * ow + j] = idx;
        }
}
