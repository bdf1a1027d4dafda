// That what C divides is not negative is tested before it is said that there is
// nothing to compute, also where whole multiples of the divisor stand outside:
// of an image of a row and a filter of two there is one row of outputs.
//
// RUN: %convopt -q %s -tile=32,2 -o - | FileCheck %s
// CHECK-LABEL: rows_tiled_launch(
// CHECK:         K <= H + 2 * P: what is divided is not negative
// CHECK:         // nothing to compute
void rows(const float *in, float *out, int H, int W, int K, int P) {
  int OH = (H + 2 * P - K) / 2 + 1;
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int i = 0; i < K; i++)
        if (y * 2 + i - P >= 0 && y * 2 + i - P < H)
          s += in[(y * 2 + i - P) * W + x];
      out[y * W + x] = s;
    }
}
