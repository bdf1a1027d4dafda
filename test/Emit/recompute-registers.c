// RUN: %convopt %s -assume=r=2 -q -o - | FileCheck %s
// What is computed again reads shared memory, not the registers of the kernel:
// so it is a function of its own, with products of its own. Those of both runs
// are otherwise one to nvcc, which then fuses none with its addition.
void same(const float *x, const float *f, float *y, int n, int r) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = -r; j <= r; j++)
      if (i + j >= 0 && i + j < n)
        s += x[i + j] * f[j + r];
    y[i] = s;
  }
}
// CHECK:      __device__ __noinline__ void
// CHECK-NEXT: same_tiled_again(
// CHECK:      s[i_r] += x_s[j + i_r + i_t + 4] * f_s[j + 2];
// CHECK:      __global__ void
// CHECK:      s[i_r] += x_r[j + i_r + 4] * f_r[j + 2];
// CHECK:      if (again) {
// CHECK-NEXT: same_tiled_again<Offset, Aligned>(
