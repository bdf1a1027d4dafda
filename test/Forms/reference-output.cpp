// The sum is in the output, by a reference to its element.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: out_data_data[r][i] += in_data_data[r][i + k] * taps_data[k]
#include <vector>

struct Rows {
  int count, length;
  std::vector<float> data;
  const float *row(int r) const { return data.data() + r * length; }
};

void smooth(const Rows &in, Rows &out, const std::vector<float> &taps) {
  const int m = static_cast<int>(taps.size());
  for (int r = 0; r < in.count; ++r) {
    const float *row = in.row(r);
    for (int i = 0; i < out.length; ++i) {
      float &sum = out.data[r * out.length + i];
      sum = 0;
      for (int k = 0; k < m; ++k)
        sum += row[i + k] * taps[k];
      sum = sum > 0 ? sum : 0;
    }
  }
}
