// RUN: %host %s %t
// Loops with a step whose outputs lie next to each other: every width runs.
// CALL: half(41, 60, 5)
// CALL: half(12, 33, 3)
void half(const float *in, const float *w, float *out, int H, int W, int K) {
  for (int y = 0; y < H; y += 2)
    for (int x = 0; x < W; x += 2) {
      float sum = 0;
      for (int i = -(K / 2); i <= K / 2; i++)
        for (int j = -(K / 2); j <= K / 2; j++)
          if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
            sum += in[(y + i) * W + x + j] * w[(i + K / 2) * K + j + K / 2];
      out[y / 2 * ((W + 1) / 2) + x / 2] = sum;
    }
}
