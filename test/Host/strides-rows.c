// RUN: %host %s %t
// A stride down the rows of planes, loops in another order than the outputs'.
// CALL: shrink(3, 37, 40, 3, 2, 18)
// CALL: shrink(2, 40, 21, 5, 1, 36)
void shrink(const float *in, const float *w, float *out, int planes, int rows,
            int columns, int taps, int step, int steps) {
  for (int y = 0; y < steps; y++)
    for (int p = 0; p < planes; p++)
      for (int x = 0; x < columns; x++) {
        float sum = 0;
        for (int i = 0; i < taps; i++)
          sum += in[(p * rows + y * step + i) * columns + x] * w[p * taps + i];
        out[(p * steps + y) * columns + x] = sum;
      }
}
