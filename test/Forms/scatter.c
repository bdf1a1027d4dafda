// A transposed convolution that scatters.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: y[o][i * s + a][j * s + b] += x[c][i][j] * w[c][o][a][b]
void transposed(const float *x, const float *w, float *y, int ci, int co, int h, int wd, int k, int s) {
  int oh = (h - 1) * s + k, ow = (wd - 1) * s + k;
  for (int o = 0; o < co; o++)
    for (int c = 0; c < ci; c++)
      for (int i = 0; i < h; i++)
        for (int j = 0; j < wd; j++)
          for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++)
              y[(o * oh + i * s + a) * ow + j * s + b] += x[(c * h + i) * wd + j] * w[((c * co + o) * k + a) * k + b];
}
