// Beyond the border is a value that is not zero, by a flag that is set outside of the channels.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: value = in[y + i - pad_rows][x + j - pad_cols][c]
// CHECK: value = pad_value
// CHECK: s += value * w[i][j][c]
struct Padding {
  int rows, cols;
  float value;
};

void conv(const float *in, const float *w, float *out, int H, int W, int C,
          int K, const Padding &pad) {
  const int OH = H + 2 * pad.rows - K + 1, OW = W + 2 * pad.cols - K + 1;
  for (int y = 0; y < OH; ++y)
    for (int x = 0; x < OW; ++x) {
      float s = 0;
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) {
          const int v = y + i - pad.rows, u = x + j - pad.cols;
          const bool inside = v >= 0 && v < H && u >= 0 && u < W;
          for (int c = 0; c < C; ++c) {
            const float value = inside ? in[(v * W + u) * C + c] : pad.value;
            s += value * w[(i * K + j) * C + c];
          }
        }
      out[y * OW + x] = s;
    }
}
