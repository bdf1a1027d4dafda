// The loop over the taps ends with the line, and the taps are in constant memory.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for j in 0 .. min(k, n + floordiv(k, 2) - i) {
// CHECK: S1: s += in[r][i + j - floordiv(k, 2)] * taps[j]
#define MOST 33
__constant__ double taps[MOST];

__global__ void filter(const double *in, double *out, int rows, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y;
  if (i >= n || r >= rows)
    return;
  const double *line = in + (size_t)r * n;
  const int left = i - k / 2;
  double s = 0;
  for (int j = 0; j < k && left + j < n; j++)
    if (left + j >= 0)
      s += line[left + j] * taps[j];
  out[(size_t)r * n + i] = s;
}
