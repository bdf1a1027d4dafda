// RUN: %host %s %t
// A dilation may pass the image: then the filter is not read to its end.
// CALL: aspp(2, 40, 37, 3, 6)
// CALL: aspp(2, 14, 14, 3, 18)
void aspp(const float *x, const float *f, float *out, int C, int H, int W,
          int M, int D) {
  for (int m = 0; m < M; m++)
    for (int y = 0; y < H; y++)
      for (int z = 0; z < W; z++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
              int v = y + (i - 1) * D, u = z + (j - 1) * D;
              if (v >= 0 && v < H && u >= 0 && u < W)
                s += x[(c * H + v) * W + u] * f[((m * C + c) * 3 + i) * 3 + j];
            }
        out[(m * H + y) * W + z] = s;
      }
}
