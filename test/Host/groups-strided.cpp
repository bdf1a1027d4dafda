// RUN: %host %s %t
// Groups whose sizes are quotients, and so is the number of outputs.
// CALL: grouped(2, 6, 40, 4, 3, 2, 2)
// CALL: grouped(3, 4, 33, 8, 5, 4, 3)
void grouped(const float *x, const float *w, float *y, int N, int C, int L,
             int M, int K, int G, int stride) {
  int OL = (L - K) / stride + 1;
  int cg = C / G, mg = M / G;
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++)
      for (int m = 0; m < mg; m++)
        for (int o = 0; o < OL; o++) {
          float sum = 0;
          for (int c = 0; c < cg; c++)
            for (int k = 0; k < K; k++)
              sum += x[(n * C + g * cg + c) * L + o * stride + k] *
                     w[((g * mg + m) * cg + c) * K + k];
          y[(n * M + g * mg + m) * OL + o] = sum;
        }
}
