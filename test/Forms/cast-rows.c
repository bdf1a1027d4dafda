// Flat arrays as rows and planes of run-time length.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: s += in[c][y + i][x0 + j] * w[m][c][i][j]
// CHECK: S2: out[m][y][x0] = s
void conv(const float *in, const float *w, float *out, int C, int H, int W,
          int M, int K) {
  const float(*x)[H][W] = (const float(*)[H][W])in;
  const float(*f)[C][K][K] = (const void *)w;
  float(*to)[H - K + 1][W - K + 1] = (void *)out;
  for (int m = 0; m < M; m++)
    for (int y = 0; y < H - K + 1; y++)
      for (int x0 = 0; x0 < W - K + 1; x0++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              s += x[c][y + i][x0 + j] * f[m][c][i][j];
        to[m][y][x0] = s;
      }
}
