// RUN: %host %s %t
// CALL: conv(33, 40, 3)
// CALL: conv(20, 65, 5)
void conv(int H, int W, int K, const float in[H][W], const float f[K][K],
          float out[H][W]) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float sum = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          int yy = y + i - K / 2, xx = x + j - K / 2;
          if (yy >= 0 && yy < H && xx >= 0 && xx < W)
            sum += in[yy][xx] * f[i][j];
        }
      out[y][x] = sum;
    }
}
