// The columns of a matrix product, by an index of channel and place in the filter.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for c_div in 0 .. channels {
// CHECK: S4: col[c_div][c_mod_div][c_mod_mod][h][w] = im[c_div][c_mod_div + h * stride - pad][c_mod_mod + w * stride - pad]
void im2col(const float *im, int channels, int height, int width, int k,
            int stride, int pad, float *col) {
  int hc = (height + 2 * pad - k) / stride + 1;
  int wc = (width + 2 * pad - k) / stride + 1;
  for (int c = 0; c < channels * k * k; ++c) {
    int w_offset = c % k, h_offset = (c / k) % k, c_im = c / k / k;
    for (int h = 0; h < hc; ++h)
      for (int w = 0; w < wc; ++w) {
        int row = h_offset + h * stride - pad;
        int column = w_offset + w * stride - pad;
        int index = (c * hc + h) * wc + w;
        if (row < 0 || column < 0 || row >= height || column >= width)
          col[index] = 0;
        else
          col[index] = im[column + width * (row + height * c_im)];
      }
  }
}
