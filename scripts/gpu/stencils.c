/* Filters of one image or of each channel, for tiles.sh. */
#define AT(v, n) ((v) < 0 ? 0 : (v) >= (n) ? (n) - 1 : (v))
void clamped(const float *in, const float *f, float *out, int H, int W) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
          s += in[AT(y + i, H) * W + AT(x + j, W)] * f[(i + 2) * 5 + j + 2];
      out[y * W + x] = s;
    }
}
void filter3(const float *in, const float *f, float *out, int H, int W) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
            s += in[(y + i) * W + x + j] * f[(i + 1) * 3 + j + 1];
      out[y * W + x] = s;
    }
}
void filter7(const float *in, const float *f, float *out, int H, int W) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = -3; i <= 3; i++)
        for (int j = -3; j <= 3; j++)
          if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
            s += in[(y + i) * W + x + j] * f[(i + 3) * 7 + j + 3];
      out[y * W + x] = s;
    }
}
void row9(const float *in, const float *f, float *out, int H, int W) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W - 8; x++) {
      float s = 0;
      for (int j = 0; j < 9; j++)
        s += in[y * W + x + j] * f[j];
      out[y * W + x] = s;
    }
}
void column9(const float *in, const float *f, float *out, int H, int W) {
  for (int y = 0; y < H - 8; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int j = 0; j < 9; j++)
        s += in[(y + j) * W + x] * f[j];
      out[y * W + x] = s;
    }
}
void depthwise(const float *in, const float *f, float *out, int C, int H,
               int W) {
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float s = 0;
        for (int i = -1; i <= 1; i++)
          for (int j = -1; j <= 1; j++)
            if (y + i >= 0 && y + i < H && x + j >= 0 && x + j < W)
              s += in[(c * H + y + i) * W + x + j] *
                   f[(c * 3 + i + 1) * 3 + j + 1];
        out[(c * H + y) * W + x] = s;
      }
}
