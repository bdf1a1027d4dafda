// How far a sum goes back in rows depends on the row, and never to before the
// first one, whatever the sizes are.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// CHECK-NOT: assume width - width * rows * step
// VERIFIED: verified: {{[0-9]+}} shapes
__global__ void gather(int n, const float *in, int height, int width, int taps,
                       int rows, int step, float *out) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  const int x = at % width, y = at / width % height, c = at / (width * height);
  const int end = min(y / step + 1, rows);
  float sum = 0;
  for (int q = 0; q < end; ++q)
    sum += in[((c * taps + y - q * step) * rows + q) * width + x];
  out[at] = sum;
}
