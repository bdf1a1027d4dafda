// An average over frames, added by blocks that share pixels.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S{{[0-9]+}}: mean[p] += s * scale
__global__ void average(const float *frames, float *mean, int n, int pixels,
                        float scale) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pixels;
       p += blockDim.x * gridDim.x) {
    float s = 0;
    for (int f = 0; f < n; f++)
      s += frames[f * pixels + p];
    atomicAdd(mean + p, s * scale);
  }
}
