// Planes that only the launch counts: of blocks one by one, and of blocks of 4.
// RUN: %convopt %s -function=one -emit=nest | FileCheck --check-prefix=ONE %s
// RUN: %convopt %s -function=one -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=four -emit=nest | FileCheck --check-prefix=FOUR %s
// RUN: %convopt %s -function=four -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=four '-assume=blocks_z=3' -emit=nest | FileCheck --check-prefix=KNOWN %s
// VERIFIED: remark: how far 'o' goes is up to the launch alone: 'blocks_z' is its gridDim.z [launch]
// VERIFIED: verified: {{[0-9]+}} shapes

// ONE: launch grid(ceildiv(ow, 16), ceildiv(oh, 16), blocks_z exact) block(16, 16, 1)
// ONE: for o in 0 .. blocks_z {
// FOUR: launch grid(ceildiv(ow, 16), oh, ceildiv(4 * blocks_z, 4) exact) block(16, 1, 4)
// FOUR: for o in 0 .. 4 * blocks_z {
// KNOWN: for o in 0 .. 12 {
__global__ void one(const float *x, const float *w, const float *bias, float *y,
                    int c, int oh, int ow, int k) {
  int o = blockIdx.z;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < oh && j < ow) {
    const int h = oh + k - 1, v = ow + k - 1;
    float sum = 0.0f;
    for (int n = 0; n < c; ++n)
      for (int a = 0; a < k; ++a)
        for (int b = 0; b < k; ++b)
          sum += x[(n * h + i + a) * v + j + b] *
                 w[((o * c + n) * k + a) * k + b];
    sum += bias[o];
    y[(o * oh + i) * ow + j] = sum > 0 ? sum : 0.01f * sum;
  }
}

__global__ void four(const float *x, const float *w, float *y, int oh, int ow,
                     int k) {
  int o = blockIdx.z * 4 + threadIdx.z;
  int i = blockIdx.y;
  int j = blockIdx.x * 16 + threadIdx.x;
  if (i >= oh || j >= ow)
    return;
  float sum = 0.0f;
  for (int a = 0; a < k; ++a)
    for (int b = 0; b < k; ++b)
      sum += x[(i + a) * (ow + k - 1) + j + b] * w[(o * k + a) * k + b];
  y[(o * oh + i) * ow + j] = sum;
}
