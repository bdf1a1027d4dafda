// Functions of compilers for bits, which devices have under other names.
// RUN: %convopt %s -function=xnor -emit=nest | FileCheck --check-prefix=XNOR %s
// RUN: %convopt %s -function=xnor -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=bits -emit=nest | FileCheck --check-prefix=BITS %s
// RUN: %convopt %s -function=bits -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=ends -emit=nest | FileCheck --check-prefix=ENDS %s
// RUN: %convopt %s -function=ends -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
#include <stdint.h>

// XNOR: count += __popc(
void xnor(const uint32_t *in, const uint32_t *w, int *out, int C, int K,
          int W, int F) {
  for (int k = 0; k < K; k++)
    for (int x = 0; x < W - F + 1; x++) {
      int count = 0;
      for (int j = 0; j < F; j++)
        for (int c = 0; c < C; c++)
          count += __builtin_popcount(~(in[(x + j) * C + c] ^
                                        w[(k * F + j) * C + c]));
      out[k * (W - F + 1) + x] = 2 * count - 32 * C * F;
    }
}

// BITS: S0: y[i] += __popcll(
// BITS: S1: y[i] += (__popc({{.*}}) & 1)
// BITS: S2: y[i] += (__ffs({{.*}}) - 1)
// BITS: S3: y[i] += __clz(
// BITS: S4: y[i] += abs(
void bits(const uint64_t *x, const uint32_t *w, int *y, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      y[i] += __builtin_popcountll(x[i + k]);
      y[i] += __builtin_parity(w[k]);
      y[i] += __builtin_ctz(w[k] | 1);
      y[i] += __builtin_clz(w[k] | 1);
      y[i] += __builtin_abs((int)(w[k] & 255) - 128);
    }
}

// ENDS: fminf(x[i + k], most)
void ends(const float *x, float *y, int n, int m, float most) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      y[i] += __builtin_fminf(x[i + k], most);
}
