// Refused: a lambda that moves a variable of around, in an order that is open.
// RUN: not %convopt %s -function=conv -emit=nest 2>&1 | FileCheck %s
void conv(const int *x, const int *w, int *y, int n, int K) {
  int at = 0;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: 'at' is set by these loops and read after them
  auto next = [&] { return x[at++]; };
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int r = 0; r < K; ++r)
      sum += next() * w[r] + x[at];
    y[i] = sum;
  }
}
