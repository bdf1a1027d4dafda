void blur(const float *in, const float *mask, float *out, int width, int height,
          int r) {
  int n = 2 * r + 1;
  for (int row = r; row < height - r; row++)
    for (int col = r; col < width - r; col++) {
      float sum = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++)
          sum += in[(row + i) * width + col + j] * mask[(i + r) * n + j + r];
      out[row * width + col] = sum;
    }
}
