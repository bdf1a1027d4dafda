// RUN: %convopt %s -function=gram -emit=schedule | FileCheck %s
// RUN: %convopt %s -function=gram -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=GRAM
// RUN: %convopt %s -function=triangle -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=TRIANGLE
// RUN: %convopt %s -function=force -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=FORCE
// An input that a sum reads by two loops has a tile for each.
// CHECK: alias=a,j
// CHECK: stage=a,l_o,shared
// CHECK: stage=a_2,l_o,shared
// GRAM: verified: {{[0-9]+}} shapes
// GRAM: 'a', 'a_2' in shared memory
// TRIANGLE: verified: {{[0-9]+}} shapes
// TRIANGLE: 'a', 'a_2' in shared memory
// FORCE: verified: {{[0-9]+}} shapes
// FORCE: force_tiled_many: for {{[0-9]+}} blocks or more
// FORCE: 'x' in shared memory
void gram(const float *a, float *c, int n, int k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * a[j * k + l];
      c[i * n + j] = s;
    }
}
void triangle(const float *a, float *c, int n, int k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * a[j * k + l];
      c[i * n + j] = s;
    }
}
void force(const float *x, float *f, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) {
      float d = x[j] - x[i];
      s += d / (1 + d * d * d * d);
    }
    f[i] = s;
  }
}
