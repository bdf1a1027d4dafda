// RUN: %convopt %s -tile=32,4 | FileCheck %s
// A loop that runs up to x + r ends at x + r + 1, which the source never
// computes: launchers take no r for which an int has no room for that.
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
void edge(const float *in, float *out, int w, int h, int l, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int j = most(0, x - l); j <= least(w - 1, x + r); j++)
        s += in[y * w + j];
      out[y * w + x] = s;
    }
}
// CHECK:      cudaError_t edge_tiled_launch(
// CHECK:      (long long)w + (long long)r > 2147483{{[0-9]+}}
// CHECK-NEXT: return edge_tiled_refuse(cudaErrorInvalidValue, "indices that are ints");
