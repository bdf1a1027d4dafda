// A product of matrices as it is written first: compare.sh with MATRICES.
void product(const float *a, const float *b, float *c, int M, int N, int L) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0.0f;
      for (int l = 0; l < L; ++l)
        sum += a[i * L + l] * b[l * N + j];
      c[i * N + j] = sum;
    }
}
