// RUN: %host %s %t
// Rows under names of their own: elements are counted, not rows.
// CALL: heat(64)
// CALL: heat(5)
typedef double Row[48];
using Line = double[48];
void heat(const Row *old, Line *now, int rows) {
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < 47; x++)
      now[y][x] = 0.25 * (old[y - 1][x] + old[y + 1][x] + old[y][x - 1] +
                          old[y][x + 1]);
}
