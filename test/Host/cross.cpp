// RUN: %host %s %t
// No corner of the box around a cross is touched.
// CALL: heat(64, 48)
// CALL: heat(7, 33)
void heat(const double *old, double *now, int rows, int columns) {
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < columns - 1; x++)
      now[y * columns + x] =
          0.25 * (old[(y - 1) * columns + x] + old[(y + 1) * columns + x] +
                  old[y * columns + x - 1] + old[y * columns + x + 1]);
}
