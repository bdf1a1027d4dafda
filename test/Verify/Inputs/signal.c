static void signal(const float *in, const float *w, float *out, int N, int K,
                   int step, float bias) {
  for (int x = 0; x < N; ++x) {
    float sum = bias;
    for (int k = 0; k < K; ++k)
      sum += in[x + step * k] * w[k];
    out[x] += sum;
  }
}
