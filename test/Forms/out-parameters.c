// A helper that writes what it computes to its argument, and one comparison for both borders.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: sum += im[c][y * stride + i * dilation - pad][x * stride + j * dilation - pad] * w[c][i][j]
static int inside(int a, int b) { return (unsigned)a < (unsigned)b; }
static void place(int o, int k, int stride, int dilation, int pad, int *at) {
  *at = o * stride - pad + k * dilation;
}

void conv(const float *im, const float *w, float *out, int channels, int height,
          int width, int ksize, int pad, int stride, int dilation) {
  const int span = dilation * (ksize - 1) + 1;
  const int oh = (height + 2 * pad - span) / stride + 1;
  const int ow = (width + 2 * pad - span) / stride + 1;
  for (int y = 0; y < oh; ++y)
    for (int x = 0; x < ow; ++x) {
      float sum = 0;
      for (int c = 0; c < channels; ++c)
        for (int i = 0; i < ksize; ++i) {
          int row;
          place(y, i, stride, dilation, pad, &row);
          if (!inside(row, height))
            continue;
          for (int j = 0; j < ksize; ++j) {
            int col;
            place(x, j, stride, dilation, pad, &col);
            if (inside(col, width))
              sum += im[(c * height + row) * width + col] *
                     w[(c * ksize + i) * ksize + j];
          }
        }
      out[y * ow + x] = sum;
    }
}
