// Weights that cancel one another in double, and in float do not: what their
// quotient is, is up to the naive code.
//
// RUN: %convopt %s -o %t.cu -verify=cpu -shape=h=3,n=64,r=4 2>&1 | FileCheck %s
// CHECK: verified: 1 shape on the CPU
void bilateral(const float *in, const float *g, float *out, int h, int n, int r,
               float eps) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0, norm = 0;
      for (int i = 0; i <= 2 * r; i++)
        for (int j = 0; j <= 2 * r; j++) {
          float d = in[(y + i) * (n + 2 * r) + x + j] -
                    in[(y + r) * (n + 2 * r) + x + r];
          float a = g[i * (2 * r + 1) + j] / (eps + d * d);
          sum += a * in[(y + i) * (n + 2 * r) + x + j];
          norm += a;
        }
      out[y * n + x] = sum / norm;
    }
}
