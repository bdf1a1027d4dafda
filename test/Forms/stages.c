// A layer by stages: the bias, the sum and the activation.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S0: y[o][i][j] += x[c][i + a][j + b] * w[o][c][a][b]
void layer(const float *x, const float *w, const float *bias, float *y, int C, int O, int H, int W, int K) {
  int oh = H - K + 1, ow = W - K + 1;
  for (int o = 0; o < O; o++)
    for (int i = 0; i < oh * ow; i++)
      y[o * oh * ow + i] = bias[o];
  for (int o = 0; o < O; o++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < oh; i++)
        for (int j = 0; j < ow; j++)
          for (int a = 0; a < K; a++)
            for (int b = 0; b < K; b++)
              y[(o * oh + i) * ow + j] += x[(c * H + i + a) * W + j + b] * w[((o * C + c) * K + a) * K + b];
  for (int i = 0; i < O * oh * ow; i++)
    if (y[i] < 0)
      y[i] = 0;
}
