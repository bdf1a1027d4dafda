void scattered_line(const float *in, const float *f, float *out, int W, int K,
                    int stride) {
  for (int x = 0; x < W; x++)
    for (int k = 0; k < K; k++)
      out[x * stride + k] += in[x] * f[k];
}
