// RUN: %host %s %t
// CALL: conv(30, 41)
void conv(int h, int w, const float in[restrict static 1][w],
          const float f[const restrict 3][3], float out[restrict][w - 2]) {
  for (int y = 0; y < h - 2; y++)
    for (int x = 0; x < w - 2; x++) {
      float sum = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          sum += in[y + i][x + j] * f[i][j];
      out[y][x] = sum;
    }
}
