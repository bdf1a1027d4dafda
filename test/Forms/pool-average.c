// Windows that stop at the image, at a stride: host functions copy nothing for
// windows that all lie outside.
// RUN: %convopt %s -emit=nest -o - | FileCheck --check-prefix=NEST %s
// RUN: %convopt %s -verify=cpu -o %t.cu
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu
// RUN: FileCheck %s < %t.cu
// NEST: for i in max(oy * S - P, 0) .. min(oy * S + K - P, H) {
// CHECK: S + P < K + S * OH
// CHECK: cudaMemcpy(device_x, x,
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
void pool_average(const float *x, float *y, int C, int H, int W, int K, int S,
                  int P) {
  int OH = (H + 2 * P - K) / S + 1, OW = (W + 2 * P - K) / S + 1;
  for (int c = 0; c < C; c++)
    for (int oy = 0; oy < OH; oy++)
      for (int ox = 0; ox < OW; ox++) {
        int top = LARGER(oy * S - P, 0), left = LARGER(ox * S - P, 0);
        int bottom = SMALLER(oy * S - P + K, H);
        int right = SMALLER(ox * S - P + K, W);
        float sum = 0;
        for (int i = top; i < bottom; i++)
          for (int j = left; j < right; j++)
            sum += x[(c * H + i) * W + j];
        y[(c * OH + oy) * OW + ox] = sum / (K * K);
      }
}
