// RUN: %host %s %t
// CALL: conv(7, 5, 200)
// CALL: conv(16, 8, 65)
void conv(int C, int M, int N, const float in[C][N], const float f[M][C],
          float out[M][N]) {
  for (int m = 0; m < M; m++)
    for (int i = 0; i < N; i++) {
      float sum = 0;
      for (int c = 0; c < C; c++)
        sum += in[c][i] * f[m][c];
      out[m][i] = sum;
    }
}
