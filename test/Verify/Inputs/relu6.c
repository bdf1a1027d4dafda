// What caps sums lies between the numbers that data of integers makes.
void relu6(const float *in, const float *w, float *out, int H, int W, int K,
           double scale, int bias) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      float sum = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          sum += in[(y + i) * (W + K - 1) + x + j] * w[i * K + j];
      const float a = (float)(sum * scale + bias);
      out[y * W + x] = a > 6.0f ? 6.0f : a;
    }
}
