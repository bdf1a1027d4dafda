// RUN: %host %s %t
// CALL: conv(9, 12, 33, 1)
// CALL: conv(8, 9, 20, 2)
void conv(const float *in, const float *f, float *out, int D, int H, int W,
          int r) {
  int K = 2 * r + 1;
  for (int z = 0; z < D; z++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float sum = 0;
        for (int k = -r; k <= r; k++)
          for (int i = -r; i <= r; i++)
            for (int j = -r; j <= r; j++)
              if (z + k >= 0 && z + k < D && y + i >= 0 && y + i < H &&
                  x + j >= 0 && x + j < W)
                sum += in[((z + k) * H + y + i) * W + x + j] *
                       f[((k + r) * K + i + r) * K + j + r];
        out[(z * H + y) * W + x] = sum;
      }
}
