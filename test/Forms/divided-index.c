// A transposed convolution whose index is divided in its place.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: if y - i >= 0 and -((y - i) % S) == 0 and i + H * S - y - 1 >= 0 {
// CHECK: S1: s += in[floordiv(y - i, S)] * w[i]
void up(const float *in, const float *w, float *out, int H, int K, int S,
        int OH) {
  for (int y = 0; y < OH; y++) {
    float s = 0;
    for (int i = 0; i < K; i++) {
      int a = y - i;
      if (a < 0 || a % S != 0)
        continue;
      a /= S;
      if (a < H)
        s += in[a] * w[i];
    }
    out[y] = s;
  }
}
