// RUN: %host %s %t
// Loops that descend, as their iterators are compared and as these are the
// counts that are left: planes, rows and columns have dimensions of their own.
// RUN: %convopt %s -function=volume -emit=nest | FileCheck %s
// CALL: layer(3, 20, 40, 75, 3, 2, 1)
// CALL: volume(2, 9, 6, 20, 70, 3)
void layer(const float *in, const float *w, float *out, int C, int M, int H,
           int W, int K, int stride, int pad) {
  const int OH = (H + 2 * pad - K) / stride + 1,
            OW = (W + 2 * pad - K) / stride + 1;
  for (int m = M - 1; m >= 0; m--)
    for (int y = OH - 1; y >= 0; y--)
      for (int x = OW - 1; x >= 0; x--) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int iy = y * stride + i - pad, ix = x * stride + j - pad;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                sum += in[(c * H + iy) * W + ix] * w[((m * C + c) * K + i) * K + j];
            }
        out[(m * OH + y) * OW + x] = sum;
      }
}

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
