// RUN: %host %s %t
// Planes whose lengths are arguments of their own and no multiples of rows: each
// thread has outputs of its own all the same.
// CALL: planes(4, 3, 20, 31, 3, 641, 530)
// CALL: planes(2, 1, 9, 9, 2, 81, 64)
void planes(const float *in, const float *w, float *out, int M, int C, int H,
            int W, int K, int plane, int outPlane) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int m = 0; m < M; m++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              sum += in[c * plane + (y + i) * W + x + j] *
                     w[((m * C + c) * K + i) * K + j];
        out[m * outPlane + y * OW + x] = sum;
      }
}
