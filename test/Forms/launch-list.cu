// Sizes in a structure that host code fills; the launch alone says how many filters there are.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32,2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
struct Dims {
  int C, H, W, M, K;
};

// CHECK: argument d_M "int @" param from "d.M"
// CHECK: launch grid(ceildiv(OW, 128), OH exact, d_M exact)
// CHECK: S1: s += x[c][oh + i][ow + j] * w[m][c][i][j]
__global__ void conv(const float *x, const float *w, float *y, Dims d) {
  int ow = blockIdx.x * blockDim.x + threadIdx.x, oh = blockIdx.y,
      m = blockIdx.z;
  int OW = d.W - d.K + 1, OH = d.H - d.K + 1;
  if (ow >= OW)
    return;
  float s = 0;
  for (int c = 0; c < d.C; c++)
    for (int i = 0; i < d.K; i++)
      for (int j = 0; j < d.K; j++)
        s += x[(c * d.H + oh + i) * d.W + ow + j] *
             w[((m * d.C + c) * d.K + i) * d.K + j];
  y[(m * OH + oh) * OW + ow] = s;
}

void run(const float *x, const float *w, float *y, int C, int H, int W, int M,
         int K) {
  Dims d = {C, H, W, M, K};
  conv<<<dim3((W - K + 128) / 128, H - K + 1, M), 128>>>(x, w, y, d);
}
