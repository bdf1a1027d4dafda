// RUN: %host %s %t
// Strides of images, channels and rows as arguments.
// CALL: batch(3, 4, 12, 20, 3, 4500, 900, 30)
// CALL: batch(2, 3, 31, 40, 5, 8400, 2100, 50)
void batch(const float *x, const float *w, float *y, int N, int C, int H, int W,
           int K, int sn, int sc, int sh) {
  for (int n = 0; n < N; n++)
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int p = 0; p < K; p++)
            for (int q = 0; q < K; q++)
              sum += x[n * sn + c * sc + (i + p) * sh + j + q] *
                     w[(c * K + p) * K + q];
        y[(n * H + i) * W + j] = sum;
      }
}
