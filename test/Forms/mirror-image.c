// Borders that mirror the image, by statements.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: array in: float[h][v] input
void mirror(const float *in, const float *w, float *out, int h, int v, int m) {
  int r = m / 2;
  for (int i = 0; i < h; i++)
    for (int j = 0; j < v; j++) {
      float s = 0;
      for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) {
          int y = i + a - r, x = j + b - r;
          if (y < 0) y = -y;
          if (y >= h) y = 2 * h - 2 - y;
          if (x < 0) x = -x;
          if (x >= v) x = 2 * v - 2 - x;
          s += in[y * v + x] * w[a * m + b];
        }
      out[i * v + j] = s;
    }
}
