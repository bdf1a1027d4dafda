// All outputs in one index, which threads share however many there are.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#define KERNEL_LOOP(i, n)                                                      \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n);                 \
       i += blockDim.x * gridDim.x)

// CHECK: for n in 0 .. floordiv(floordiv(count, OH * OW), C) {
// CHECK-NEXT: for c in 0 .. C {
// CHECK: S1: s += in[n][c][ph + a - pad][pw + b - pad] * w[c][a][b]
__global__ void depthwise(const int count, const float *in, const float *w,
                          float *out, int C, int H, int W, int K, int pad,
                          int OH, int OW) {
  KERNEL_LOOP(index, count) {
    const int pw = index % OW;
    const int ph = (index / OW) % OH;
    const int c = (index / OW / OH) % C;
    const int n = index / OW / OH / C;
    float s = 0;
    for (int a = 0; a < K; a++)
      for (int b = 0; b < K; b++) {
        const int h = ph + a - pad, v = pw + b - pad;
        if (h < 0 || h >= H || v < 0 || v >= W)
          continue;
        s += in[((n * C + c) * H + h) * W + v] * w[(c * K + a) * K + b];
      }
    out[index] = s;
  }
}
