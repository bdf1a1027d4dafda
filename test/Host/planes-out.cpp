// RUN: %host %s %t
// Strides named before the loops, of every array.
// CALL: conv(3, 4, 33, 40, 3)
// CALL: conv(2, 5, 36, 31, 5)
void conv(const float *in, const float *f, float *out, int C, int M, int H,
          int W, int K) {
  const int OH = H - K + 1, OW = W - K + 1;
  const int inPlane = H * W, outPlane = OH * OW, taps = K * K,
            filter = C * taps;
  for (int m = 0; m < M; m++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              sum += in[c * inPlane + (y + i) * W + x + j] *
                     f[m * filter + c * taps + i * K + j];
        out[m * outPlane + y * OW + x] = sum;
      }
}
