// A layer whose bias pointer and activation are fields, and may be missing.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

enum class Act : unsigned char { None, Relu, Relu6 };

struct Layer {
  int in, out, size, pad;
  const float *weights;
  const float *bias;
  Act act;
  bool scaled;
};

// CHECK: argument has_l_bias "int @" param from "l.bias" != 0
// CHECK: argument l_scaled "bool @" param from "l.scaled"
// CHECK: argument l_act "Act @" param from "l.act"
// CHECK: S4: sum = (sum < 0 ? (float)(0) : (sum > 6 ? (float)(6) : sum))
void forward(const Layer &l, const float *x, float *y, int n, float scale) {
  const int m = n + 2 * l.pad - l.size + 1;
  for (int o = 0; o < l.out; ++o)
    for (int i = 0; i < m; ++i) {
      float sum = l.bias ? l.bias[o] : 0.0f;
      for (int c = 0; c < l.in; ++c)
        for (int k = 0; k < l.size; ++k) {
          const int at = i + k - l.pad;
          if (at >= 0 && at < n)
            sum += x[c * n + at] * l.weights[(o * l.in + c) * l.size + k];
        }
      if (l.scaled)
        sum *= scale;
      switch (l.act) {
      case Act::None:
        break;
      case Act::Relu:
        if (sum < 0)
          sum = 0;
        break;
      case Act::Relu6:
        if (sum < 0)
          sum = 0;
        else if (sum > 6)
          sum = 6;
        break;
      }
      y[o * m + i] = sum;
    }
}
