// RUN: %host %s %t
// A layer of several channels whose images are mirrored at their first and last
// elements.
// CALL: layer(2, 3, 5, 9, 10)
// CALL: layer(1, 9, 33, 20, 36)
// CALL: layer(1, 1, 1, 2, 2)
#define AT(v, n) ((v) < 0 ? -(v) : (v) >= (n) ? 2 * (n)-2 - (v) : (v))
void layer(const float *in, const float *w, float *out, int N, int C, int K,
           int H, int W) {
  for (int n = 0; n < N; n++)
    for (int k = 0; k < K; k++)
      for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
          float s = 0;
          for (int c = 0; c < C; c++)
            for (int i = 0; i < 3; i++)
              for (int j = 0; j < 3; j++)
                s += in[((n * C + c) * H + AT(y + i - 1, H)) * W +
                        AT(x + j - 1, W)] *
                     w[((k * C + c) * 3 + i) * 3 + j];
          out[((n * K + k) * H + y) * W + x] = s;
        }
}
