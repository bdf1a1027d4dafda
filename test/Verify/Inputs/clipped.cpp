#include <algorithm>
void clipped(const float *in, const float *f, float *out, int D, int H, int W,
             int K) {
  const int r = K / 2;
  for (int z = 0; z < D; z++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float s = 0;
        for (int c = std::max(0, z - r); c <= std::min(D - 1, z + r); c++)
          for (int b = std::max(0, y - r); b <= std::min(H - 1, y + r); b++)
            for (int a = std::max(0, x - r); a <= std::min(W - 1, x + r); a++)
              s += in[(c * H + b) * W + a] *
                   f[((c - z + r) * (2 * r + 1) + (b - y + r)) * (2 * r + 1) +
                     (a - x + r)];
        out[(z * H + y) * W + x] = s;
      }
}
