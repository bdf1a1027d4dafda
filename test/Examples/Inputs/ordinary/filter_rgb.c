// A filter of an image of three colours that lie next to one another.

void filter_rgb(int height, int width, int K, int pad,
                const float image[height][width][3], const float mask[K][K],
                float result[height][width][3]) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int colour = 0; colour < 3; colour++) {
        float sum = 0.0f;
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++) {
            int iy = y + i - pad, ix = x + j - pad;
            if (iy >= 0 && iy < height && ix >= 0 && ix < width)
              sum += image[iy][ix][colour] * mask[i][j];
          }
        result[y][x][colour] = sum;
      }
}
