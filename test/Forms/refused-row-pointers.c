// Refused: rows that lie anywhere in memory, behind pointers.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+12]]:{{[0-9]+}}: error: pointer 'in' may alias: it leads to pointers, and the rows behind them lie anywhere in memory [alias]
// CHECK: note: lay the rows one after another in one array, and pass that: in[y * W + x]
typedef struct {
  int rows, cols;
} size2;

void conv(float **in, float *const *k, float **out, size2 in_size, size2 k_size) {
  for (int y = 0; y <= in_size.rows - k_size.rows; y++)
    for (int x = 0; x <= in_size.cols - k_size.cols; x++) {
      float s = 0;
      for (int i = 0; i < k_size.rows; i++)
        for (int j = 0; j < k_size.cols; j++)
          s += in[y + i][x + j] * k[i][j];
      out[y][x] = s;
    }
}
