// A filter of bytes that is summed in integers.

void filter_bytes(int height, int width, int K, int OH, int OW,
                  const unsigned char image[height][width],
                  const int mask[K][K], int result[OH][OW]) {
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++) {
      int sum = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          if (y + i < height && x + j < width)
            sum += image[y + i][x + j] * mask[i][j];
      result[y][x] = sum;
    }
}
