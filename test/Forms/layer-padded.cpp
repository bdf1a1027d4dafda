// A layer with stride and padding, all of it in a struct.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S{{[0-9]+}}: acc += x[b][ic][i * l_stride + u - l_pad][j * l_stride + v - l_pad] * l_weight[oc][ic][u][v]
struct Conv2D {
  int in_ch, out_ch, k, stride, pad;
  float *weight, *bias;
};
void conv2d_forward(const Conv2D &l, const float *x, float *y, int n, int h, int w) {
  const int oh = (h + 2 * l.pad - l.k) / l.stride + 1;
  const int ow = (w + 2 * l.pad - l.k) / l.stride + 1;
  for (int b = 0; b < n; ++b)
  for (int oc = 0; oc < l.out_ch; ++oc)
  for (int i = 0; i < oh; ++i)
  for (int j = 0; j < ow; ++j) {
    float acc = l.bias[oc];
    for (int ic = 0; ic < l.in_ch; ++ic)
    for (int u = 0; u < l.k; ++u)
    for (int v = 0; v < l.k; ++v) {
      int yy = i * l.stride + u - l.pad, xx = j * l.stride + v - l.pad;
      if (yy >= 0 && yy < h && xx >= 0 && xx < w)
        acc += x[((b * l.in_ch + ic) * h + yy) * w + xx] * l.weight[((oc * l.in_ch + ic) * l.k + u) * l.k + v];
    }
    y[((b * l.out_ch + oc) * oh + i) * ow + j] = acc > 0 ? acc : 0;
  }
}
