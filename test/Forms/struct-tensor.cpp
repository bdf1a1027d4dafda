// A tensor that has its data, with accessors.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

struct Tensor {
  float *data;
  int rows, cols;
  float &at(int i, int j) { return data[i * cols + j]; }
  float operator()(int i, int j) const { return data[i * cols + j]; }
  int height() const { return rows; }
};

// CHECK: argument x_data "float *@" array from "x.data"
// CHECK: S1: sum += x_data[i + p][j + q] * k_data[p][q]
// CHECK: S2: y_data[i][j] = sum
void conv(const Tensor &x, const Tensor &k, Tensor &y) {
  for (int i = 0; i < x.height() - k.height() + 1; ++i)
    for (int j = 0; j < x.cols - k.cols + 1; ++j) {
      float sum = 0;
      for (int p = 0; p < k.height(); ++p)
        for (int q = 0; q < k.cols; ++q)
          sum += x(i + p, j + q) * k(p, q);
      y.at(i, j) = sum;
    }
}
