// Channels that blocks share, and pixels that the threads of a block do.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: launch grid(O, 1, 1) block(256, 1, 1)
// CHECK: for o in 0 .. O {
// CHECK-NEXT: for p_div in 0 .. OH {
// CHECK-NEXT: for p_mod in 0 .. OW {
__global__ void conv(const float *in, const float *w, float *out, int C, int O,
                     int H, int W, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int o = blockIdx.x; o < O; o += gridDim.x)
    for (int p = threadIdx.x; p < OH * OW; p += blockDim.x) {
      int y = p / OW, x = p % OW;
      float s = 0;
      for (int c = 0; c < C; c++)
        for (int a = 0; a < K; a++)
          for (int b = 0; b < K; b++)
            s += in[(c * H + y + a) * W + x + b] *
                 w[((o * C + c) * K + a) * K + b];
      out[o * OH * OW + p] = s;
    }
}
