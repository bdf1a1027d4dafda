// Groups whose pointers begin where the group does, added to the output.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: s += w[g][m][k][p][q] * in[g][k][i * stride + p][j * stride + q]
// CHECK: S2: out[g][m][i][j] += s
void forward(const float *in, const float *w, float *out, int n, int c, int h,
             int wd, int size, int stride, int groups) {
  int oh = (h - size) / stride + 1, ow = (wd - size) / stride + 1;
  int i, j, k, g, p, q, m;
  for (g = 0; g < groups; ++g) {
    const float *a = w + g * (n / groups) * (c / groups) * size * size;
    const float *b = in + g * (c / groups) * h * wd;
    float *o = out + g * (n / groups) * oh * ow;
    for (m = 0; m < n / groups; ++m)
      for (i = 0; i < oh; ++i)
        for (j = 0; j < ow; ++j) {
          float s = 0;
          for (k = 0; k < c / groups; ++k)
            for (p = 0; p < size; ++p)
              for (q = 0; q < size; ++q)
                s += a[((m * (c / groups) + k) * size + p) * size + q] *
                     b[(k * h + i * stride + p) * wd + j * stride + q];
          o[(m * oh + i) * ow + j] += s;
        }
  }
}
