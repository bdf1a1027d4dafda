// A kernel with a bias that may be null, flags by value and by template.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: argument has_bias "int @" param from "bias" != 0
template <bool Relu>
__global__ void conv(const float *__restrict__ in, const float *__restrict__ w,
                     const float *__restrict__ bias, float *__restrict__ out,
                     int H, int W, int K, int O, bool accumulate) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int o = blockIdx.z;
  if (x >= W || y >= H)
    return;
  const int r = K / 2;
  float v = 0.f;
  for (int i = -r; i <= r; i++)
    for (int j = -r; j <= r; j++) {
      if (y + i < 0 || y + i >= H || x + j < 0 || x + j >= W)
        continue;
      v += in[(y + i) * W + x + j] * w[(o * K + i + r) * K + j + r];
    }
  v = bias == nullptr ? v : v + bias[o];
  if (Relu)
    v = fmaxf(v, 0.f);
  const int at = (o * H + y) * W + x;
  if (accumulate)
    out[at] += v;
  else
    out[at] = v;
}

void run(const float *in, const float *w, const float *bias, float *out, int H,
         int W, int K, int O) {
  dim3 block(16, 16), grid((W + 15) / 16, (H + 15) / 16, O);
  conv<true><<<grid, block>>>(in, w, bias, out, H, W, K, O, false);
}
