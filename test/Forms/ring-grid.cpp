// A torus, by remainders in a flat index; its sizes by number.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=j:16,i:4 -reg=i:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
struct Grid {
  int dim[3];
  int size(int d) const { return dim[d]; }
};
// CHECK: argument g_dim_1 "int @" param from "g.dim[1]"
// CHECK: S1: s += w[a][b] * guarded({{.*}}, x[k][i + a - 1][j + b - 1], border)
void smooth(const Grid &g, const double *x, const double *w, double *y) {
  const int H = g.size(1), W = g.size(2);
  for (int k = 0; k < g.size(0); ++k)
    for (int i = 0; i < H; ++i)
      for (int j = 0; j < W; ++j) {
        double s = 0;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const int ii = (i + a - 1 + H) % H, jj = (j + b - 1 + W) % W;
            s += w[a * 3 + b] * x[(k * H + ii) * W + jj];
          }
        y[(k * H + i) * W + j] = s;
      }
}
