// Bytes channels last with narrow sizes, as code for small machines has them.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
#include <stdint.h>
typedef int8_t q7_t;

static int32_t saturate(int32_t v, int bits) {
  const int32_t most = (1 << (bits - 1)) - 1;
  if (v > most)
    return most;
  if (v < -most - 1)
    return -most - 1;
  return v;
}

// CHECK: assume 32768 - padding >= 0 "a value of type 'short' does not wrap"
// CHECK: S1: conv_out += im_in[j * stride + m - padding][k * stride + n - padding][l] * wt[i][m][n][l]
void convolve_hwc_q7(const q7_t *im_in, const uint16_t dim_in,
                     const uint16_t ch_in, const q7_t *wt,
                     const uint16_t ch_out, const uint16_t dim_kernel,
                     const uint16_t padding, const uint16_t stride,
                     const q7_t *bias, const uint16_t bias_shift,
                     const uint16_t out_shift, q7_t *im_out,
                     const uint16_t dim_out) {
  uint16_t i, j, k, l, m, n;
  int32_t conv_out;
  int16_t in_row, in_col;
  for (i = 0; i < ch_out; i++) {
    for (j = 0; j < dim_out; j++) {
      for (k = 0; k < dim_out; k++) {
        conv_out = ((int32_t)bias[i] << bias_shift) + (1 << out_shift >> 1);
        for (m = 0; m < dim_kernel; m++) {
          for (n = 0; n < dim_kernel; n++) {
            in_row = stride * j + m - padding;
            in_col = stride * k + n - padding;
            if (in_row >= 0 && in_col >= 0 && in_row < dim_in &&
                in_col < dim_in) {
              for (l = 0; l < ch_in; l++)
                conv_out += im_in[(in_row * dim_in + in_col) * ch_in + l] *
                            wt[((i * dim_kernel + m) * dim_kernel + n) * ch_in + l];
            }
          }
        }
        im_out[i + (j * dim_out + k) * ch_out] =
            (q7_t)saturate(conv_out >> out_shift, 8);
      }
    }
  }
}
