void cross(const float *in, float *out, int H, int W) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      out[y * W + x] = in[y * (W + 2) + x + 1] + in[(y + 2) * (W + 2) + x + 1] +
                       in[(y + 1) * (W + 2) + x] +
                       in[(y + 1) * (W + 2) + x + 2];
}
