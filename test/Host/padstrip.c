// RUN: %host %s %t
// CALL: padstrip(9, 13, 3, 2, 6)
void padstrip(const float *in, const float *f, float *out, int H, int W, int r,
              int y0, int y1) {
  for (int y = y0; y < y1; y++)
    for (int x = 0; x < W; x++) {
      float s = 0.0f;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++)
          if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
            s += in[(y + i) * W + x + j] * f[(i + r) * (2 * r + 1) + j + r];
      out[y * W + x] = s;
    }
}
