// An element that is read where a sum is zero is one that other iterations read
// in any case, if the window has its middle.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// CHECK: assume n - 1 >= 0 "'x' is read there whatever data say"
// VERIFIED: verified: {{[0-9]+}} shapes
void normalise(const double *x, const double *w, double *y, int H, int W,
               int n) {
  const int r = n / 2;
  for (int i = r; i < H - r; i++)
    for (int j = r; j < W - r; j++) {
      double top = 0, bottom = 0;
      for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
          top += x[(i + a - r) * W + j + b - r] * w[a * n + b];
          bottom += w[a * n + b];
        }
      if (bottom == 0)
        y[i * W + j] = x[i * W + j];
      else
        y[i * W + j] = top / bottom;
    }
}
