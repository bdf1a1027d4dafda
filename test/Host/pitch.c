// RUN: %host %s %t
// CALL: pitch(9, 13, 3, 40, 30)
void pitch(const float *in, const float *f, float *out, int H, int W, int K,
           int ip, int op) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0.0f;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[(y + i) * ip + x + j] * f[i * K + j];
      out[y * op + x] = s;
    }
}
