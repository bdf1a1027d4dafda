// RUN: %host %s %t
// A strip of rows with a dilation and padding, which a stride may pass over.
// CALL: strip(60, 50, 3, 2, 1, 5, 14)
// CALL: strip(40, 44, 2, 4, 3, 0, 9)
// CALL: strip(40, 44, 2, 3, 9, 8, 15)
void strip(const signed char *in, const float *f, float *out, int W, int H,
           int K, int D, int P, int first, int end) {
  for (int y = first; y < end; y++)
    for (int x = 0; x < W; x++) {
      float sum = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          const int r = 5 * y + i * D - P, c = 5 * x + j * D - P;
          if (r >= 0 && r < H && c >= 0 && c < W)
            sum += in[r * W + c] * f[i * K + j];
        }
      out[y * W + x] = sum;
    }
}
