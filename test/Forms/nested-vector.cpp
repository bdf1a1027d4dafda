// Vectors of vectors, whose rows are copied to one array.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: nest convolve_nest
// CHECK: S1: out_data[i][j] += img_data[i + a][j + b] * ker_data
#include <vector>
using Matrix = std::vector<std::vector<float>>;

Matrix convolve(const Matrix &img, const Matrix &ker) {
  const int H = img.size(), W = img[0].size();
  Matrix out(H - ker.size() + 1, std::vector<float>(W - ker[0].size() + 1));
  for (int i = 0; i < out.size(); i++)
    for (int j = 0; j < out[i].size(); j++) {
      out[i][j] = 0;
      for (int a = 0; a < ker.size(); a++)
        for (int b = 0; b < ker[0].size(); b++)
          out[i][j] += img[i + a][j + b] * ker[a][b];
    }
  return out;
}
