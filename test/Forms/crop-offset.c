// A part of the image, which may end beyond it.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: if H - y - i - part_top - 1 >= 0 and W - x - j - part_left - 1 >= 0 {
// CHECK: S1: s += in[y + i + part_top][x + j + part_left] * w[i][j]
struct rect {
  int top, left, height, width;
};

void crop(const float *in, const float *w, float *out, int H, int W, int K,
          struct rect part) {
  for (int y = 0; y < part.height; y++)
    for (int x = 0; x < part.width; x++) {
      float s = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          int u = part.top + y + i, v = part.left + x + j;
          if (u < H && v < W)
            s += in[u * W + v] * w[i * K + j];
        }
      out[y * part.width + x] = s;
    }
}
