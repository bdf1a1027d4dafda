// RUN: %convopt %s -function=sharpen -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=relax -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// Extents in the types of arrays, also behind a pointer to rows, do not change
// what they name: loops of functions that do more are taken.
// CHECK: verified: {{[0-9]+}} shape
void sharpen(int h, int w, float image[h][w]) {
  float before[h][w];
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      before[y][x] = image[y][x];
  for (int y = 1; y < h - 1; ++y)
    for (int x = 1; x < w - 1; ++x)
      image[y][x] = 3 * before[y][x] - before[y - 1][x] - before[y][x + 1];
}
void relax(double *from, double *to, int nx, int ny, int nz) {
  const double(*u)[ny][nx] = (const double(*)[ny][nx])from;
  double(*r)[ny][nx] = (double(*)[ny][nx])to;
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x)
        r[z][y][x] = u[z][y][x - 1] + u[z + 1][y][x] - u[z][y - 1][x];
}
