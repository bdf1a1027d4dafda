// Guards that let a loop pass each, and nothing together: host code finds out.
//
// RUN: %convopt %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNTED < %t.cu
// CHECK: remark: 'x' must be on the device as far as subscripts may go
// COUNTED-LABEL: void taps_tiled(
// COUNTED: x_touched
void taps(const float *x, float *y, int n, int m, int k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0;
      for (int a = i % 2; a < k; a += 2)
        if (i - a >= 0 && (i - a) / 2 < n)
          sum += x[(i - a) / 2 * m + j];
      y[i * m + j] = sum;
    }
}
