// RUN: not %convopt %s -function=rows -o %t.cu 2>&1 | FileCheck %s
// RUN: not %convopt %s -function=named -o %t.cu 2>&1 | FileCheck --check-prefix=NAMED %s
// RUN: not %convopt %s -function=kept -o %t.cu 2>&1 | FileCheck --check-prefix=KEPT %s
// An extent is what it was where the type is declared. Where loops become a
// function of their own, the type is declared again.
// CHECK: error: 'm', an extent of 'a', is changed in the function [loop-value]
// CHECK: note: use a variable of its own for what changes
void rows(int n, int m, const float *x, float *y) {
  float(*a)[m] = (float(*)[m])y;
  m--;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = x[i * m + j];
}

// NAMED: error: 'm', an extent of 'a', is changed in the function [loop-value]
void named(int n, int m, const float *x, float *y) {
  typedef float row[m];
  row *a = (row *)y;
  m--;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = x[i * m + j];
}

// KEPT: error: 'm', an extent of 't', is changed in the function [loop-value]
float kept(int n, int m, const float *x) {
  float t[n][m];
  m--;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = x[i * m + j] * 2;
  return t[1][0];
}
