// RUN: %host %s %t
// A guard of the offset alone lets rows run over into the next.
// CALL: wrap(20, 33, 2)
// CALL: wrap(9, 40, 3)
void wrap(const float *in, const float *w, float *out, int H, int W, int r) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          int p = (y + i) * W + x + j;
          if (p >= 0 && p < H * W)
            s += in[p] * w[(i + r) * (2 * r + 1) + j + r];
        }
      out[y * W + x] = s;
    }
}
