// RUN: %host %s %t
// Blocks inside of the image copy vectors, and others what each place is an
// image of.
// CALL: blur(100, 140)
// CALL: blur(1, 300)
// CALL: blur(67, 64)
#define R 2
void blur(const float *in, const float *f, float *out, int H, int W) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = -R; i <= R; i++)
        for (int j = -R; j <= R; j++) {
          int v = y + i, u = x + j;
          v = v < 0 ? 0 : v >= H ? H - 1 : v;
          u = u < 0 ? 0 : u >= W ? W - 1 : u;
          s += in[v * W + u] * f[(i + R) * (2 * R + 1) + j + R];
        }
      out[y * W + x] = s;
    }
}
