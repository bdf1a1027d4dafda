// A stride and a dilation with a common divisor pass over the last row and the
// last column: what is copied ends before them.
// RUN: %host %s %t | count 5
// CALL: conv(3, 28, 30, 4, 3, 5, 2, 4, 2, 2, 2, 2)
// CALL: conv(2, 33, 31, 3, 3, 3, 0, 1, 3, 6, 3, 2)
// CALL: conv(2, 32, 32, 3, 3, 3, 1, 1, 2, 1, 1, 2)
// CALL: conv(2, 32, 32, 3, 3, 3, 1, 1, 1, 1, 1, 1)
// CALL: conv(1, 40, 40, 2, 1, 1, 1, 1, 4, 4, 2, 2)
void conv(const float *im, const float *w, float *out, int C, int H, int W,
          int M, int KH, int KW, int ph, int pw, int sh, int sw, int dh,
          int dw) {
  const int OH = (H + 2 * ph - (dh * (KH - 1) + 1)) / sh + 1;
  const int OW = (W + 2 * pw - (dw * (KW - 1) + 1)) / sw + 1;
  for (int m = 0; m < M; m++)
    for (int oy = 0; oy < OH; oy++)
      for (int ox = 0; ox < OW; ox++) {
        float a = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < KH; i++)
            for (int j = 0; j < KW; j++) {
              int y = oy * sh - ph + i * dh, x = ox * sw - pw + j * dw;
              if (y >= 0 && y < H && x >= 0 && x < W)
                a += im[(c * H + y) * W + x] * w[((m * C + c) * KH + i) * KW + j];
            }
        out[(m * OH + oy) * OW + ox] = a;
      }
}
