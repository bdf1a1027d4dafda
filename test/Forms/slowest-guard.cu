// A flat index of which the row alone is checked, and which the output uses.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape

// CHECK: array b: float[H][W] output
// CHECK: launch grid(ceildiv(W * H, 256), 1, 1) block(256, 1, 1)
// CHECK: for y in 0 .. H {
// CHECK-NEXT: for x in 0 .. W {
__global__ void sharpen(const float *a, float *b, int W, int H, float alpha) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int x = tid % W, y = tid / W;
  if (y >= H)
    return;
  int n = max(y - 1, 0), s = min(y + 1, H - 1);
  float c = a[y * W + x];
  b[tid] = c - alpha * (a[n * W + x] + a[s * W + x] - 2.0f * c);
}
