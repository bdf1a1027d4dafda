// A pixel that is a sum of floating-point numbers cut to an integer may be the
// next one to what the reference has.
//
// RUN: %convopt %s -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// CHECK: verified:
void mean(const unsigned char *x, unsigned char *y, int h, int w) {
  for (int r = 1; r < h - 1; ++r)
    for (int c = 1; c < w - 1; ++c) {
      float sum = 0;
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
          sum += x[(r + i) * w + c + j] * (1.0f / 9);
      y[r * w + c] = (unsigned char)sum;
    }
}
