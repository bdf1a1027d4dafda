// Pixels that the 256 threads of a block share, by a number, and images and
// channels that blocks stand for, in a function of the device.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: FileCheck --check-prefix=COVERS %s < %t.cu
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: launch grid({{.*}}, 1, 1) block(256 exact, 1, 1)
// COVERS: {{block.x == 256(;| )}}
template <typename T, typename A>
__device__ inline void sums(const T *__restrict__ x, const T *__restrict__ w,
                            T *__restrict__ y, int channels, int h, int v,
                            int k) {
  const int oh = h - k + 1, ov = v - k + 1;
  const int b = blockIdx.x;
  x += size_t(b) * channels * h * v;
  y += size_t(b) * oh * ov;
  for (int i = threadIdx.x; i < oh * ov; i += 256) {
    const int row = i / ov, column = i % ov;
    A sum = 0;
    for (int c = 0; c < channels; c++)
      for (int p = 0; p < k; p++)
        for (int q = 0; q < k; q++)
          sum += A(x[(size_t(c) * h + row + p) * v + column + q]) *
                 A(w[(size_t(c) * k + p) * k + q]);
    y[size_t(row) * ov + column] = T(sum);
  }
}

extern "C" __global__ void conv(const float *x, const float *w, float *y,
                                int channels, int h, int v, int k) {
  sums<float, double>(x, w, y, channels, h, v, k);
}
