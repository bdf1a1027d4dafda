// A multiplier of channels, digits of 64 bits, and a counter that runs over the weights.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -tile=32,1,1 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: value = bias[linear_mod_div_div][linear_mod_div_mod]
// CHECK: S2: value += weight[linear_mod_div_div][linear_mod_div_mod][i][j] * input[linear_div][linear_mod_div_div][{{.*}}][{{.*}}]
template <typename T>
__global__ void depthwise(const T *input, const T *weight, const T *bias,
                          T *output, bool has_bias, long long total,
                          int channels, int multiplier, int width, int height,
                          int out_w, int out_h, int k_w, int k_h, int stride,
                          int pad, int dilation) {
  for (long long linear = blockIdx.x * (long long)blockDim.x + threadIdx.x;
       linear < total; linear += (long long)gridDim.x * blockDim.x) {
    const int rest1 = linear / out_w;
    const int w = linear - (long long)rest1 * out_w;
    const int rest2 = rest1 / out_h;
    const int h = rest1 - rest2 * out_h;
    const int n = rest2 / channels;
    const int c = rest2 - n * channels;
    const int in_c = c / multiplier, in_channels = channels / multiplier;
    int at = c * k_h * k_w;
    T value = 0;
    if (has_bias)
      value = bias[c];
    const T *plane = input + (n * in_channels + in_c) * height * width;
    for (int i = 0; i < k_h; ++i)
      for (int j = 0; j < k_w; ++j) {
        const int y = -pad + h * stride + i * dilation;
        const int x = -pad + w * stride + j * dilation;
        if (y >= 0 && y < height && x >= 0 && x < width)
          value += weight[at] * plane[y * width + x];
        ++at;
      }
    output[linear] = value;
  }
}

void run(const float *x, const float *w, const float *b, float *y, int n, int c,
         int m, int iw, int ih, int k, int s, int p, int d) {
  const int ow = (iw + 2 * p - d * (k - 1) - 1) / s + 1;
  const int oh = (ih + 2 * p - d * (k - 1) - 1) / s + 1;
  depthwise<float><<<1024, 256>>>(x, w, b, y, b != nullptr,
                                  (long long)n * c * oh * ow, c, m, iw, ih, ow,
                                  oh, k, k, s, p, d);
}
