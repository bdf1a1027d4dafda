// RUN: %host %s %t
// The group of output channel k.
// CALL: conv(2, 6, 8, 20, 33, 3)
// CALL: conv(4, 8, 4, 30, 20, 3)
void conv(const float *in, const float *f, float *out, int G, int C, int K,
          int H, int W, int R) {
  int P = H - R + 1, Q = W - R + 1;
  for (int k = 0; k < K; ++k)
    for (int p = 0; p < P; ++p)
      for (int q = 0; q < Q; ++q) {
        float sum = 0;
        int g = k / (K / G);
        for (int c = 0; c < C / G; ++c)
          for (int r = 0; r < R; ++r)
            for (int s = 0; s < R; ++s)
              sum += in[((g * (C / G) + c) * H + p + r) * W + q + s] *
                     f[((k * (C / G) + c) * R + r) * R + s];
        out[(k * P + p) * Q + q] = sum;
      }
}
