// A convolution layer as deep learning has it: a batch, several channels and
// zero padding, filters [K][C][R][S] of a size that is known when it is
// compiled.

template <int R, int S>
void conv_layer(const float *x, const float *w, float *y, int N, int C, int H,
                int W, int K, int pad) {
  const int OH = H + 2 * pad - R + 1;
  const int OW = W + 2 * pad - S + 1;
  for (int n = 0; n < N; n++)
    for (int k = 0; k < K; k++)
      for (int oy = 0; oy < OH; oy++)
        for (int ox = 0; ox < OW; ox++) {
          float sum = 0.0f;
          for (int c = 0; c < C; c++)
            for (int r = 0; r < R; r++)
              for (int s = 0; s < S; s++) {
                const int iy = oy + r - pad, ix = ox + s - pad;
                if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                  sum += x[((n * C + c) * H + iy) * W + ix] *
                         w[((k * C + c) * R + r) * S + s];
              }
          y[((n * K + k) * OH + oy) * OW + ox] = sum;
        }
}
