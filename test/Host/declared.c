// RUN: %host %s %t
// CALL: conv()
void conv(const float in[3][34][36], const float f[4][3][3][3],
          float out[4][32][34]) {
  for (int m = 0; m < 4; m++)
    for (int y = 0; y < 32; y++)
      for (int x = 0; x < 34; x++) {
        float sum = 0;
        for (int c = 0; c < 3; c++)
          for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
              sum += in[c][y + i][x + j] * f[m][c][i][j];
        out[m][y][x] = sum;
      }
}
