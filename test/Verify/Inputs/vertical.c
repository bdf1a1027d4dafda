void vertical(const float *image, const float *weights, float *out, int rows,
              int columns, int r) {
  for (int y = r; y < rows - r; y++)
    for (int x = 0; x < columns; x++) {
      float sum = weights[0] * image[y * columns + x];
      for (int k = 1; k <= r; k++)
        sum += weights[k] *
               (image[(y - k) * columns + x] + image[(y + k) * columns + x]);
      out[y * columns + x] = sum;
    }
}
