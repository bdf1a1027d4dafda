// Loops that count down over a flat volume: rows and planes show all the same.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -tile=x:16,y:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: array in: float[K + OD - 1][H][W] input
// CHECK: array out: float[M][OD][OH][OW]
// CHECK: S1: s += in[k + OD - z - 1][i + OH - y - 1][j + OW - x - 1] * w[M - m - 1][k][i][j]
void conv(const float *in, const float *w, float *out, int M, int D, int H,
          int W, int K) {
  const int OD = D - K + 1, OH = H - K + 1, OW = W - K + 1;
  for (int m = M; m-- > 0;)
    for (int z = OD - 1; z >= 0; z--)
      for (int y = OH - 1; y >= 0; y--)
        for (int x = OW - 1; x >= 0; x--) {
          float s = 0;
          for (int k = 0; k < K; k++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++)
                s += in[((z + k) * H + y + i) * W + x + j] *
                     w[((m * K + k) * K + i) * K + j];
          out[((m * OD + z) * OH + y) * OW + x] = s;
        }
}
