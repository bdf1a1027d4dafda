// The place of an element in one of two layouts, which a flag says.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: if
// CHECK: sum += in[2 * c + c * N + i + k] * taps[k]
// CHECK: sum += in[c + i * C + k * C] * taps[2 - k]
void filter(const float *in, const float *taps, float *out, int C, int N,
            int planar) {
  int from, tap = 0;
  for (int c = 0; c < C; ++c)
    for (int i = 0; i < N; ++i) {
      float sum = 0;
      for (int k = 0; k < 3; ++k) {
        if (planar) {
          from = c * (N + 2) + i + k;
          tap = k;
        } else {
          from = (i + k) * C + c;
          tap = 2 - k;
        }
        sum += in[from] * taps[tap];
      }
      out[c * N + i] = sum;
    }
}
