void strided(const float *in, const float *w, float *out, int H, int W, int R,
             int S, int OH, int OW, int stride, int pad, float gain) {
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float sum = 0.0f;
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < S; ++j) {
          int iy = y * stride + i - pad, ix = x * stride + j - pad;
          if (iy >= 0 && iy < H && ix >= 0 && ix < W)
            sum += in[iy * W + ix] * w[i * S + j];
        }
      out[y * OW + x] = sum * gain;
    }
}
