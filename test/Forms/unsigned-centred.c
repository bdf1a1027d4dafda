// Comparisons without a sign, which what is negative fails, too, where loops
// begin below zero.
// RUN: %convopt %s -function=below -emit=nest | FileCheck --check-prefix=NEST %s
// RUN: %convopt %s -function=beyond -emit=nest | FileCheck --check-prefix=NEST %s
// RUN: %convopt %s -function=below -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=beyond -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// NEST: if i + j >= 0 and n - i - j - 1 >= 0
// CHECK: verified: {{[0-9]+}} shape
void below(const float *x, const float *w, float *y, int n, int r) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = -r; j <= r; j++)
      if ((unsigned)(i + j) < (unsigned)n)
        s += x[i + j] * w[j + r];
    y[i] = s;
  }
}
void beyond(const float *x, const float *w, float *y, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = -1; j <= 1; j++) {
      unsigned p = i + j;
      if (p >= (unsigned)n)
        continue;
      s += x[i + j] * w[j + 1];
    }
    y[i] = s;
  }
}
