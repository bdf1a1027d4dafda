// RUN: %host %s %t
// CALL: blur(31, 33, 40)
// CALL: blur(32, 64, 80)
void blur(const float *in, float *out, int H, int W, int pitch) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          sum += in[(y + i) * (W + 2) + x + j];
      out[y * pitch + x] = sum / 9;
    }
}
