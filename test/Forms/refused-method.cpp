// Refused: loops in a member function.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+6]]:8: error: 'Blur::run' is a member function, which the tiled code cannot stand in for
// CHECK: note: move its loops to a function that takes the object, as in 'void run(const Blur &self, ...)', and call that
struct Blur {
  int n, m;
  const float *w;

  void run(const float *x, float *y) const {
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int k = 0; k < m; k++)
        y[i] += x[i + k] * w[k];
    }
  }
};
