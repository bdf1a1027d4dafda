// RUN: %host %s %t
// CALL: cg(33, 3)
// CALL: cg(1, 1)
// CALL: cg(70, 2)
// Conjugate gradients: the residual is set before the loop of launches and in
// it, and quotients of sums are what other kernels multiply with.

void cg(const float *A, float *x, float *r, float *p, float *q, int N,
        int iters) {
  float rs = 0;
  for (int i = 0; i < N; i++)
    rs += r[i] * r[i];
  for (int it = 0; it < iters; it++) {
    for (int i = 0; i < N; i++) {
      float s = 0;
      for (int j = 0; j < N; j++)
        s += A[i * N + j] * p[j];
      q[i] = s;
    }
    float pq = 0;
    for (int i = 0; i < N; i++)
      pq += p[i] * q[i];
    float alpha = rs / pq;
    for (int i = 0; i < N; i++)
      x[i] += alpha * p[i];
    for (int i = 0; i < N; i++)
      r[i] -= alpha * q[i];
    float rnew = 0;
    for (int i = 0; i < N; i++)
      rnew += r[i] * r[i];
    float beta = rnew / rs;
    for (int i = 0; i < N; i++)
      p[i] = r[i] + beta * p[i];
    rs = rnew;
  }
}
