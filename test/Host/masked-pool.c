// RUN: %host %s %t
// A mask joins rows and columns, and guards join these with the window.
// CALL: pool(3, 2, 1, 3, 50)
// CALL: pool(20, 33, 2, 3, 1)
void pool(const float *in, float *out, int H, int W, int M, int C, int t) {
  int OH = (H + 2 - 2 - 1) / 2 + 1, OW = (W + 2 - 2 - 1) / 2 + 1;
  for (int x = 0; x < OW; x++)
    for (int y = 0; y < OH; y++)
      for (int m = 0; m < M; m++)
        if ((x + y) % 2 == t % 2) {
          float s = -100;
          for (int c = 0; c < C; c++)
            for (int i = 0; i < 3; i++)
              for (int j = 0; j < 3; j++) {
                int v = y * 2 + i - 1, u = x * 2 + j - 1;
                if (v >= 0 && v < H && u >= 0 && u < W) {
                  float e = in[(v * W + u) * C + c];
                  if (e > s)
                    s = e;
                }
              }
          out[(m * OH + y) * OW + x] = s;
        }
}
