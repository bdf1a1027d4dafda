// A transposed layer that scatters within its padding, after loops that write the bias.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: value = x[n][c][h][v]
// CHECK: S1: y[n][o][h * S + i - P][v * S + j - P] += value * w[c][o][i][j]
void deconv(const float *x, const float *w, const float *b, float *y, int N,
            int C, int O, int H, int W, int K, int S, int P) {
  const int OH = (H - 1) * S - 2 * P + K, OW = (W - 1) * S - 2 * P + K;
  for (int n = 0; n < N; ++n)
    for (int o = 0; o < O; ++o)
      for (int i = 0; i < OH * OW; ++i)
        y[(n * O + o) * OH * OW + i] = b[o];
  for (int n = 0; n < N; ++n)
    for (int c = 0; c < C; ++c)
      for (int h = 0; h < H; ++h)
        for (int v = 0; v < W; ++v) {
          const float value = x[((n * C + c) * H + h) * W + v];
          for (int o = 0; o < O; ++o)
            for (int i = 0; i < K; ++i)
              for (int j = 0; j < K; ++j) {
                const int r = h * S + i - P, q = v * S + j - P;
                if (r >= 0 && r < OH && q >= 0 && q < OW)
                  y[((n * O + o) * OH + r) * OW + q] +=
                      value * w[((c * O + o) * K + i) * K + j];
              }
        }
}
