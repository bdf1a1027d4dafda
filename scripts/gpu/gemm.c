/* A product of matrices with leading dimensions. */
void gemm(int M, int N, int K, float alpha, const float *A, int lda,
          const float *B, int ldb, float beta, float *C, int ldc) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float s = 0;
      for (int k = 0; k < K; ++k)
        s += A[i * lda + k] * B[k * ldb + j];
      C[i * ldc + j] = alpha * s + beta * C[i * ldc + j];
    }
}
