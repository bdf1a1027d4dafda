// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %host %s %t
// A flat index whose columns go around.
// CHECK: array in: float[h][w] input border(none, wrap)
// CALL: run(37, 20, 5)
// CALL: run(6, 9, 6)
// CALL: run(1, 40, 3)
__device__ int wrap(int a, int n) { return (a % n + n) % n; }
__global__ void rows(const float *in, float *out, int w, int h, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w * h) {
    int y = i / w, x = i % w;
    float m = 0;
    for (int a = 0; a < k; a++)
      m += in[y * w + wrap(x + a - k / 2, w)];
    out[i] = m;
  }
}

void run(const float *in, float *out, int w, int h, int k) {
  rows<<<(w * h + 255) / 256, 256>>>(in, out, w, h, k);
}
