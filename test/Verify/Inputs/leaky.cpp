void leaky(const float *src, const float *wei, const float *bias, float *dst,
           int N, int C, int H, int W, int K, int R, int S, int sh, int sw,
           int ph, int pw, int dh, int dw) {
  const int P = (H + 2 * ph - (dh * (R - 1) + 1)) / sh + 1;
  const int Q = (W + 2 * pw - (dw * (S - 1) + 1)) / sw + 1;
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < K; ++k)
      for (int p = 0; p < P; ++p)
        for (int q = 0; q < Q; ++q) {
          float d = bias[k];
          for (int c = 0; c < C; ++c)
            for (int r = 0; r < R; ++r)
              for (int s = 0; s < S; ++s) {
                const int h = p * sh - ph + r * dh;
                const int w = q * sw - pw + s * dw;
                if (h >= 0 && h < H && w >= 0 && w < W)
                  d += src[((n * C + c) * H + h) * W + w] *
                       wei[((k * C + c) * R + r) * S + s];
              }
          dst[((n * K + k) * P + p) * Q + q] = d > 0 ? d : 0.1f * d;
        }
}
