// Refused: a filter that feeds its outputs back, with vectors of coefficients.
// RUN: %refuses 2 %s | FileCheck %s
// CHECK: [[@LINE+17]]:{{[0-9]+}}: error: loop 'i' cannot be mapped to grid.x: {{.*}} [Mapping]
// CHECK: note: flow dependence from y_data[i] in S2 to y_data[i - k_2] in S2
// CHECK: note: no loop of this nest is parallel
#include <cstddef>
#include <vector>

struct Filter {
  std::vector<double> a, b;
};

void filter(const Filter &f, const std::vector<double> &x,
            std::vector<double> &y, int n, int order) {
  for (int i = order; i < n; i++) {
    y[i] = 0;
    for (int k = 0; k <= order; k++)
      y[i] += f.b[k] * x[i - k];
    for (int k = 1; k <= order; k++)
      y[i] -= f.a[k] * y[i - k];
  }
}
