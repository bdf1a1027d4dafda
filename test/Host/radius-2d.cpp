// RUN: %host %s %t
// CALL: blur(40, 37, 2)
// CALL: blur(33, 65, 1)
void blur(const float *in, const float *f, float *out, int H, int W, int r) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float sum = 0.0f;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          int yy = y + i, xx = x + j;
          if (yy >= 0 && yy < H && xx >= 0 && xx < W)
            sum += in[yy * W + xx] * f[(i + r) * (2 * r + 1) + j + r];
        }
      out[y * W + x] = sum;
    }
}
