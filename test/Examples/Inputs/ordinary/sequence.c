// One dimension with channels: a batch of sequences, dilated.

void sequence(int N, int C, int L, int M, int K, int OL, int dilation, int pad,
              const float x[N][C][L], const float w[M][C][K],
              float y[N][M][OL]) {
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int o = 0; o < OL; o++) {
        float sum = 0.0f;
        for (int c = 0; c < C; c++)
          for (int k = 0; k < K; k++) {
            int at = o + k * dilation - pad;
            if (at >= 0 && at < L)
              sum += x[n][c][at] * w[m][c][k];
          }
        y[n][m][o] = sum;
      }
}
