// RUN: %host %s %t
// CALL: wave(14, 19, 33, 2)
// CALL: wave(10, 12, 40, 1)
void wave(const float *u, const float *c, float *v, int D, int H, int W,
          int R) {
  for (int z = R; z < D - R; z++)
    for (int y = R; y < H - R; y++)
      for (int x = R; x < W - R; x++) {
        float sum = c[0] * u[(z * H + y) * W + x];
        for (int k = 1; k <= R; k++)
          sum += c[k] *
                 (u[(z * H + y) * W + x - k] + u[(z * H + y) * W + x + k] +
                  u[(z * H + y - k) * W + x] + u[(z * H + y + k) * W + x] +
                  u[((z - k) * H + y) * W + x] + u[((z + k) * H + y) * W + x]);
        v[(z * H + y) * W + x] = sum;
      }
}
