void conv(const float *in, const float *w, float *out, int N, int K, int S,
          int D) {
  for (int x = 0; x < N; x++) {
    float s = 0;
    for (int j = 0; j < K; j++)
      s += in[x * S + j * D] * w[j];
    out[x] = s;
  }
}
