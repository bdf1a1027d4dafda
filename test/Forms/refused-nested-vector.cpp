// Refused: rows that lie anywhere in memory.
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck %s
// CHECK: [[@LINE+8]]:{{[0-9]+}}: error: 'out' is a vector of vectors, whose rows lie anywhere in memory
// CHECK: note: keep all elements in one vector, as x[row * width + column]
#include <vector>

void blur(const std::vector<std::vector<float>> &in,
          std::vector<std::vector<float>> &out, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      out[i][j] =
          in[i][j] + in[i + 1][j];
      for (int k = 0; k < 3; k++)
        out[i][j] += in[i][j + k];
    }
}
