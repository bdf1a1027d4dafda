// The gradient of an input with a thread for each element: what a stride
// divides may be negative, but nothing is left over where it is divided, so
// that no size is asked for.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK-NOT: what is divided is not negative
// CHECK: S1: g += dy[k][floordiv(
__global__ void gradient(const float *dy, const float *w, float *dx, int K,
                         int H, int W, int R, int stride, int pad, int P,
                         int Q) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= H * W)
    return;
  int x = t % W, y = t / W;
  float g = 0;
  for (int k = 0; k < K; ++k)
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < R; ++s) {
        int py = y + pad - r, px = x + pad - s;
        if (py % stride == 0 && px % stride == 0) {
          py /= stride;
          px /= stride;
          if (py >= 0 && py < P && px >= 0 && px < Q)
            g += dy[(k * P + py) * Q + px] * w[(k * R + r) * R + s];
        }
      }
  dx[t] = g;
}
