// All outputs in one index, which the launch alone ends.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: launch grid(C * H * W exact, 1, 1)
// CHECK: for i_div in 0 .. C {
// CHECK: for i_mod_div in 0 .. H {
// CHECK: for i_mod_mod in 0 .. W {
__global__ void depthwise(const float *in, const float *k, float *out, int C,
                          int H, int W) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % W;
  int y = i / W % H;
  int c = i / (W * H);
  float s = 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      int u = y + a - 1, v = x + b - 1;
      if (u >= 0 && u < H && v >= 0 && v < W)
        s += in[(c * H + u) * W + v] * k[(c * 3 + a) * 3 + b];
    }
  out[i] = s;
}

void run(const float *in, const float *k, float *out, int C, int H, int W) {
  depthwise<<<C * H * W / 256, 256>>>(in, k, out, C, H, W);
}
