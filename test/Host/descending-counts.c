// RUN: %host %s %t
// Loops that count what is left: planes, rows and columns have dimensions of
// their own.
// RUN: %convopt %s -emit=nest | FileCheck %s
// CALL: volume(2, 9, 6, 20, 70, 3)
// CHECK: array out: float[M][OD][OH][OW]
// CHECK: out[M - m - 1][OD - z - 1][OH - y - 1][OW - x - 1] = sum
void volume(const float *in, const float *w, float *out, int C, int M, int D,
            int H, int W, int K) {
  const int OD = D - K + 1, OH = H - K + 1, OW = W - K + 1;
  for (int m = M; m-- > 0;)
    for (int z = OD; z-- > 0;)
      for (int y = OH; y-- > 0;)
        for (int x = OW; x-- > 0;) {
          float sum = 0;
          for (int c = 0; c < C; c++)
            for (int k = 0; k < K; k++)
              for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++)
                  sum += in[((c * D + z + k) * H + y + i) * W + x + j] *
                         w[(((m * C + c) * K + k) * K + i) * K + j];
          out[((m * OD + z) * OH + y) * OW + x] = sum;
        }
}
