// Where an array is as long as its loops say, half of it is within it.
// RUN: %convopt %s -emit=nest | FileCheck %s
// CHECK: array e: float[w][h] inout
// CHECK: assume w - floordiv(w, 2) - 1 >= 0 "no guard keeps 'e' from being used to its end"
// CHECK: S1: e[floordiv(w, 2)][floordiv(h, 2)] += 1.0f * index(t)
void source(int w, int h, int steps, float e[w][h], float b[w][h]) {
  for (int t = 0; t < steps; t++) {
    for (int x = 0; x < w - 1; x++)
      for (int y = 0; y < h - 1; y++)
        b[x][y] -= e[x + 1][y] - e[x][y];
    e[w / 2][h / 2] += 1.0f * t;
  }
}
