// RUN: %host %s %t
// A strip of rows with a stride: nothing before its first row is touched.
// CALL: strip(60, 3, 2, 5, 14)
// CALL: strip(41, 5, 1, 2, 9)
void strip(const float *in, const float *f, float *out, int W, int K, int S,
           int first, int end) {
  const int OW = (W - K) / S + 1;
  for (int y = first; y < end; y++)
    for (int x = 0; x < OW; x++) {
      float sum = out[y * OW + x];
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          sum += in[(y * S + i) * W + x * S + j] * f[i * K + j];
      out[y * OW + x] = sum;
    }
}
