// What is skipped where data say so is a choice of values.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S{{[0-9]}}: s = {{.*}}mask[i]{{.*}} ? (float)(s + {{.*}}) : s
void sparse(const float *in, const float *w, const unsigned char *mask,
            float *out, int n, int K) {
  for (int x = 0; x < n; x++) {
    float s = 0;
    for (int i = 0; i < K; i++) {
      float v = in[x + i] * w[i];
      if (!mask[i])
        continue;
      s += v;
    }
    out[x] = s;
  }
}
