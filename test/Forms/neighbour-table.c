// Steps to neighbours that a table of constants has: evenly apart, or not.
// RUN: %convopt %s -emit=nest -function=blur 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -function=blur -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -emit=nest -function=four 2>/dev/null | FileCheck --check-prefix=FOUR %s
// RUN: %convopt %s -verify=cpu -function=four -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
static const int step[5] = {-2, -1, 0, 1, 2};
static const float g[5] = {1, 4, 6, 4, 1};
// CHECK: S1: s += file_g[k] * x[i + k - 2]
void blur(const float *x, float *y, int n) {
  for (int i = 2; i < n - 2; i++) {
    float s = 0;
    for (int k = 0; k < 5; k++)
      s += g[k] * x[i + step[k]];
    y[i] = s;
  }
}

// Each place of the table is a statement of its own.
// FOUR-COUNT-4: += x[
// FOUR-NOT: += x[
void four(const float *x, float *y, int h, int w) {
  static const int dx[4] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      float s = 0;
      for (int k = 0; k < 4; k++) {
        int row = i + dy[k];
        s += x[row * w + j + dx[k]];
      }
      y[i * w + j] = s;
    }
}
