// RUN: %host %s %t
// CALL: channels(60, 50, 3, 2, 4, 8)
// CALL: channels(20, 33, 2, 3, 3, 7)
void channels(const float *in, const float *f, float *out, int W, int H, int K,
              int S, int first, int end) {
  const int OH = (H - K) / S + 1, OW = (W - K) / S + 1;
  for (int c = first; c < end; c++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float sum = 0;
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            sum += in[(c * H + y * S + i) * W + x * S + j] *
                   f[(c * K + i) * K + j];
        out[(c * OH + y) * OW + x] = sum;
      }
}
