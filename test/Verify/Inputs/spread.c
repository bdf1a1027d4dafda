void spread(const float *in, const float *w, float *out, int H, int W, int R) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      for (int i = -R; i <= R; ++i)
        for (int j = -R; j <= R; ++j)
          if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
            out[(y + i) * W + x + j] +=
                in[y * W + x] * w[(i + R) * (2 * R + 1) + j + R];
}
