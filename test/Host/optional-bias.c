// RUN: %host %s %t
// Whether there is a bias is an argument of the launcher.
// CALL: causal(2, 3, 60, 4, 3, 4)
// CALL: causal(1, 4, 100, 2, 5, 1)
void causal(const float *in, const float *f, const float *bias, float *out,
            int N, int C, int T, int M, int K, int D) {
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int t = 0; t < T; t++) {
        float sum = bias ? bias[m] : 0.0f;
        for (int c = 0; c < C; c++)
          for (int k = 0; k < K; k++) {
            const int from = t - (K - 1 - k) * D;
            if (from >= 0)
              sum += f[(m * C + c) * K + k] * in[(n * C + c) * T + from];
          }
        out[(n * M + m) * T + t] = sum;
      }
}
