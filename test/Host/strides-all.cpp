// RUN: %host %s %t
// A stride of its own for each dimension, of what is read and what is written:
// one after the other, with gaps, every other column.
// CALL: strided(2, 3, 12, 20, 720, 240, 20, 1, 720, 240, 20, 1, 1)
// CALL: strided(2, 3, 12, 20, 1600, 400, 25, 1, 960, 240, 20, 1, 0)
// CALL: strided(2, 2, 9, 17, 1600, 800, 80, 2, 1350, 450, 45, 1, 1)
#include <cstdint>

void strided(const float *in, const float *w, float *out, int N, int C, int H,
             int W, int64_t sn, int64_t sc, int64_t sh, int64_t sw, int64_t tn,
             int64_t tc, int64_t th, int64_t tw, int pad) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
          float sum = 0;
          for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
              int h = y + i - pad, v = x + j - pad;
              if (h >= 0 && h < H && v >= 0 && v < W)
                sum += in[n * sn + c * sc + h * sh + v * sw] *
                       w[(c * 3 + i) * 3 + j];
            }
          out[n * tn + c * tc + y * th + x * tw] = sum;
        }
}
