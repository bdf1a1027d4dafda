// RUN: %host %s %t
// Of a filter's gradient, the filter's rows are those of the output.
// CALL: gradient(90, 30, 40, 3, 5, 2, 2, 3, 1)
// CALL: gradient(64, 33, 20, 3, 3, 1, 1, 2, 2)
void gradient(const float *in, const float *dout, float *df, int W, int OH,
              int OW, int KH, int KW, int sy, int sx, int dy, int dx) {
  for (int i = 0; i < KH; i++)
    for (int j = 0; j < KW; j++) {
      float sum = 0;
      for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++)
          sum += in[(y * sy + i * dy) * W + x * sx + j * dx] * dout[y * OW + x];
      df[i * KW + j] = sum;
    }
}
