// Threads of the host share the loops, whose variables are declared before.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: acc += in[c][y + i][x + j] * w[m][c][i][j]
void conv(const float *restrict in, const float *restrict w,
          float *restrict out, int C, int H, int W, int M, int K) {
  int m, y, x, c, i, j;
#pragma omp parallel for private(y, x, c, i, j) collapse(2) schedule(static)
  for (m = 0; m < M; m++)
    for (y = 0; y < H - K + 1; y++)
      for (x = 0; x < W - K + 1; x++) {
        register float acc = 0;
        for (c = 0; c < C; c++)
          for (i = 0; i < K; i++)
#pragma unroll
            for (j = 0; j < K; j++)
              acc += in[(c * H + y + i) * W + x + j] *
                     w[((m * C + c) * K + i) * K + j];
        out[(m * (H - K + 1) + y) * (W - K + 1) + x] = acc;
      }
}
