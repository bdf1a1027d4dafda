// A filter of an image, zeros beyond its border.

void filter_grey(int height, int width, int r, const float image[height][width],
                 const float mask[2 * r + 1][2 * r + 1],
                 float result[height][width]) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0.0f;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++)
          if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width)
            sum += image[y + i][x + j] * mask[i + r][j + r];
      result[y][x] = sum;
    }
}
