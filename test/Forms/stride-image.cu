// Rows and columns that the threads of a grid share.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: for y in 0 .. OH {
// CHECK-NEXT: for x in 0 .. OW {
// CHECK: S1: s += in[y + a][x + b] * w[a][b]
__global__ void conv(const float *in, const float *w, float *out, int H, int W,
                     int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < OH;
       y += blockDim.y * gridDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < OW;
         x += blockDim.x * gridDim.x) {
      float s = 0;
      for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++)
          s += in[(y + a) * W + x + b] * w[a * K + b];
      out[y * OW + x] = s;
    }
}

void run(const float *in, const float *w, float *out, int H, int W, int K) {
  conv<<<dim3(32, 32), dim3(16, 16)>>>(in, w, out, H, W, K);
}
