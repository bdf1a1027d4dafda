void region(const float *in, const float *w, float *out, int W, int y0, int y1,
            int x0, int x1, int r) {
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      float sum = 0.0f;
      for (int j = -r; j <= r; ++j)
        sum += in[y * W + x + j] * w[j + r];
      out[y * W + x] = sum;
    }
}
