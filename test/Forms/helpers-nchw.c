// A layer with index helpers, as in small networks written in C.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <stddef.h>

static inline size_t at4(int n, int c, int h, int w, int C, int H, int W) {
  return (((size_t)n * C + c) * H + h) * W + w;
}

static inline int conv_out(int in, int kernel, int stride, int pad) {
  return (in + 2 * pad - kernel) / stride + 1;
}

static float leaky(float v, float slope) {
  if (v > 0.0f)
    return v;
  return slope * v;
}

// CHECK: S{{[0-9]+}}: acc += in[n][c][oh * stride + kh - pad][ow * stride + kw - pad] * weight[oc][c][kh][kw]
// CHECK: S{{[0-9]+}}: out[n][oc][oh][ow] = (acc > 0.0f ? acc : slope * acc)
void conv2d_forward(const float *in, const float *weight, float *out, int N,
                    int C, int H, int W, int OC, int K, int stride, int pad,
                    float slope) {
  int OH = conv_out(H, K, stride, pad);
  int OW = conv_out(W, K, stride, pad);
  for (int n = 0; n < N; n++)
    for (int oc = 0; oc < OC; oc++)
      for (int oh = 0; oh < OH; oh++)
        for (int ow = 0; ow < OW; ow++) {
          float acc = 0.0f;
          for (int c = 0; c < C; c++)
            for (int kh = 0; kh < K; kh++)
              for (int kw = 0; kw < K; kw++) {
                int ih = oh * stride + kh - pad;
                int iw = ow * stride + kw - pad;
                if (ih >= 0 && ih < H && iw >= 0 && iw < W)
                  acc += in[at4(n, c, ih, iw, C, H, W)] *
                         weight[at4(oc, c, kh, kw, C, K, K)];
              }
          out[at4(n, oc, oh, ow, OC, OH, OW)] = leaky(acc, slope);
        }
}
