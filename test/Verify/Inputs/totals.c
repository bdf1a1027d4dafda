/* Sums of 64 bits. */
void totals(const int *x, const int *w, long long *y, int N, int K) {
  for (int i = 0; i < N - K + 1; i++) {
    long long sum = 0;
    for (int j = 0; j < K; j++)
      sum += (long long)x[i + j] * w[j];
    y[i] = sum;
  }
}
