// One value for several outputs, with a conversion between them.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: rounded[i] = sum
// CHECK: exact[i] = rounded[i]
// CHECK: last[i] = exact[i]
void filter(const float *in, const float *taps, float *exact, int *rounded,
            float *last, int N, int K) {
  for (int i = 0; i < N; ++i) {
    float sum = 0;
    for (int k = 0; k < K; ++k)
      sum += in[i + k] * taps[k];
    last[i] = exact[i] = rounded[i] = sum;
  }
}
