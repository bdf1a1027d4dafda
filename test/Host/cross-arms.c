// RUN: %host %s %t
// CALL: arms(64, 48, 3)
// CALL: arms(20, 37, 1)
void arms(const unsigned char *in, const float *f, float *out, int H, int W,
          int R) {
  for (int y = R; y < H - R; y++)
    for (int x = R; x < W - R; x++) {
      float sum = 0;
      for (int k = -R; k <= R; k++)
        sum += f[k + R] * in[(y + k) * W + x];
      for (int k = -R; k <= R; k++)
        sum += f[k + R] * in[y * W + x + k];
      out[y * W + x] = sum;
    }
}
