// RUN: %host %s %t
// A step of the window and one of the filter, for rows and for columns, where
// how many rows there are is an argument of its own.
// CALL: atrous(90, 36, 41, 3, 3, 2, 2, 4, 4)
// CALL: atrous(70, 60, 66, 3, 5, 1, 1, 2, 1)
// CALL: atrous(80, 33, 40, 2, 3, 3, 1, 1, 2)
void atrous(const float *in, const float *f, float *out, int W, int OH, int OW,
            int KH, int KW, int sy, int sx, int dy, int dx) {
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++) {
      float sum = 0;
      for (int i = 0; i < KH; i++)
        for (int j = 0; j < KW; j++)
          sum += in[(y * sy + i * dy) * W + x * sx + j * dx] * f[i * KW + j];
      out[y * OW + x] = sum;
    }
}
