void filter(const float *in, const float *k, float *out, int H, int W, int KH,
            int KW) {
  int rh = KH / 2, rw = KW / 2;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = -rh; i <= rh; i++) {
        if (y + i < 0 || y + i >= H)
          continue;
        for (int j = -rw; j <= rw; j++) {
          if (x + j < 0 || x + j >= W)
            continue;
          s += in[(y + i) * W + (x + j)] * k[(i + rh) * KW + (j + rw)];
        }
      }
      out[y * W + x] = s;
    }
}
