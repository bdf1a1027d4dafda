void blur(const float *in, const float *mask, float *out, int width, int height,
          int maskWidth) {
  int r = maskWidth / 2;
  for (int row = 0; row < height; row++)
    for (int col = 0; col < width; col++) {
      float sum = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          int y = row + i, x = col + j;
          if (y >= 0 && y < height && x >= 0 && x < width)
            sum += in[y * width + x] * mask[(i + r) * maskWidth + (j + r)];
        }
      out[row * width + col] = sum;
    }
}
