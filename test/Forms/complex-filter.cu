// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shapes
// Complex numbers, which windows, copies and stores take as a whole.
__global__ void fir(const float2 *in, const float2 *taps, float2 *out, int n,
                    int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n - k + 1)
    return;
  float re = 0.0f, im = 0.0f;
  for (int j = 0; j < k; ++j) {
    float2 a = in[x + j], w = taps[j];
    re += a.x * w.x - a.y * w.y;
    im += a.x * w.y + a.y * w.x;
  }
  out[x].x = re;
  out[x].y = im;
}
