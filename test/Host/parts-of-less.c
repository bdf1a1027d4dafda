// RUN: %status 4 %convopt %s -o %t.cu -verify=cpu -shape=n=8,K=1 2>&1 | FileCheck %s
// RUN: %host %s %t
// Of a part, V has n elements where its loop has no iteration; all parts
// together touch none of it then, and it may be shorter.
// CHECK: ok   n=8 K=1
// CALL: parts(8, 1)
// CALL: parts(41, 3)
void parts(const float *x, const float *X, float *Z, float *V, float *Wa, int n,
           int K) {
  for (int r = 0; r < K; r++) {
    float a = 0;
    for (int i = 4; i < n - 4; i++) {
      a += x[i];
      V[r * n + i] = X[r * n + i] * a;
    }
    for (int i = 4; i < n - 4; i++)
      Z[r * n + i] = X[r * n + i];
    Wa[r] = a;
  }
}
