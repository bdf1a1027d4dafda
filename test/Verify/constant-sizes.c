// Sizes that only the source can make smaller.
// RUN: not %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: not run: constant sizes: {{.*}} operations
// CHECK: error: not every shape was run
// CHECK-NEXT: note: define smaller sizes in the source
#define N 4096
void product(float a[N][N], float b[N][N], float c[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}
