// RUN: %host %s %t
// Filters of the file are arguments of the launcher, and none of the function.
// CALL: edges(50, 67)
// CALL: edges(33, 34)
static const int across[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
static const int down[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
void edges(const unsigned char *image, short *size, int rows, int columns) {
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < columns - 1; x++) {
      int h = 0, v = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          const int pixel = image[(y + i - 1) * columns + x + j - 1];
          h += pixel * across[i][j];
          v += pixel * down[i][j];
        }
      size[y * columns + x] = (short)((h < 0 ? -h : h) + (v < 0 ? -v : v));
    }
}
