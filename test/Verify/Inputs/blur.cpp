namespace image {
typedef unsigned char Pixel;
static void blur(const Pixel *in, const short *w, int *out, int W, int H) {
  for (int y = 0; y < H - 4; ++y)
    for (int x = 0; x < W - 4; ++x) {
      int sum = 8;
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
          sum += in[(y + i) * W + x + j] * w[i * 5 + j];
      out[y * (W - 4) + x] = sum >> 4;
    }
}
}
