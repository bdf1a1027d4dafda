// Variables that a header of 'for' sets beside its iterator: by what the
// iterator starts as, and after its step.
// RUN: %convopt %s -emit=nest -function=start | FileCheck --check-prefix=START %s
// RUN: %convopt %s -emit=nest -function=step | FileCheck --check-prefix=STEP %s
// RUN: %convopt %s -emit=nest -function=halves | FileCheck --check-prefix=HALVES %s
// RUN: %convopt %s -function=start -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=step -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=halves -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: not %convopt %s -function=other -emit=nest 2>&1 | FileCheck --check-prefix=OTHER %s
// VERIFIED: verified: {{[0-9]+}} shape

// START: S0: y[i_2] = x[i_2]
void start(const float *x, float *y, int n) {
  int i = 5, j;
  for (i = 0, j = i; i < n; i++, j++)
    y[j] = x[i];
}

// STEP: s += x[k][i + 1]
void step(const float *x, float *y, int n, int m) {
  for (int k = 0; k < m; k++) {
    float s = 0;
    for (int i = 0; i < n - 1; i++, s += x[k * n + i])
      ;
    y[k] = s;
  }
}

// HALVES: y[i] = x[floordiv(i, 2)] + x[i % 2]
void halves(const float *x, float *y, int n) {
  for (int i = 0, half = i / 2, odd = i % 2; i < n;
       i++, half = i / 2, odd = i % 2)
    y[i] = x[half] + x[odd];
}

// What the first iteration has is another than the ones after it.
// OTHER: error: 'last' changes from iteration to iteration
void other(const float *x, float *y, int n) {
  for (int i = 0, last = 7; i < n; last = i, i++)
    y[i] = x[last];
}
