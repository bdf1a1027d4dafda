// That a loop is cut into whole parts is tested before it is said that there is
// nothing to compute: of one output and parts of two there is no whole part,
// and something to compute. So is that the length of a part is positive.
//
// RUN: %convopt %s -o - | sed '/^\/\//d' | FileCheck %s
// CHECK-LABEL: {{^}}extern "C" cudaError_t nearest_tiled_launch(
// CHECK:         if (d < 1)
// CHECK-NEXT:      return nearest_tiled_refuse(cudaErrorInvalidValue, "positive divisors");
// CHECK-NOT:     nothing to compute
// CHECK:         : 'i' is split into whole parts");
// CHECK-NEXT:    if (nearest_tiled_floordiv(n, d) < 1) // nothing to compute
void nearest(const float *x, float *y, int n, int m, int d) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int q = 0; q < m; q++)
      sum += x[i / d + q];
    y[i] = sum;
  }
}
