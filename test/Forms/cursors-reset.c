// A pixel's cursor that goes back to its column in each row, and a sum that is
// zero again after it was written.
// RUN: %convopt %s -emit=nest -function=window | FileCheck --check-prefix=WINDOW %s
// RUN: %convopt %s -emit=nest -function=line | FileCheck --check-prefix=LINE %s
// RUN: %convopt %s -function=window -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=line -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: not %convopt %s -function=other -emit=nest 2>&1 | FileCheck --check-prefix=OTHER %s
// VERIFIED: verified: {{[0-9]+}} shape

// WINDOW: s += x[i + a][j + b] * k[a][b]
void window(const int *x, const int *k, int *y, int n, int m) {
  int s, p, q;
  for (int i = 0; i < n - m; i++)
    for (int j = 0; j < n - m; j++) {
      p = i;
      q = j;
      s = 0;
      for (int a = 0; a < m; a++) {
        for (int b = 0; b < m; b++) {
          s += x[p * n + q] * k[a * m + b];
          q++;
        }
        p++;
        q = j;
      }
      y[i * n + j] = s;
    }
}

// LINE:      for i in 0 .. n {
// LINE-NEXT:   local s
// LINE-NEXT:   S{{[0-9]+}}: s = 0
// LINE:        S{{[0-9]+}}: y[i] = s
// LINE-NEXT: }
void line(const int *x, const int *k, int *y, int n, int m) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      s += x[i + j] * k[j];
    y[i] = s;
    s = 0;
  }
}

// Zero at first, and one after.
// OTHER: error: 's' is declared outside of the loops and may keep its value
void other(const int *x, int *y, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
    s = 1;
  }
}
