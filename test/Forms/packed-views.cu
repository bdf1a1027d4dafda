// Views of tensors in a struct, and two indices of the grid for four of the output.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: s += p_x_p[n][c][row * p_stride + i - p_pad][col * p_stride + j - p_pad] * p_w_p[o * p_w_c + c][i][j]
// CHECK: S2: p_y_p[n][o][row][col] = (s >= 0 ? s : p_slope * s)
template <typename T> struct View {
  T *p;
  int n, c, h, w;
  __host__ __device__ T &operator()(int a, int b, int y, int x) const {
    return p[((a * c + b) * h + y) * w + x];
  }
};
struct Problem {
  View<const float> x, w;
  View<float> y;
  int stride, pad;
  float slope;
};

__device__ float leaky(float v, float a) { return v >= 0 ? v : a * v; }

__global__ void conv(const Problem p) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  const int o = blockIdx.y % p.y.c, n = blockIdx.y / p.y.c;
  const int row = q / p.y.w, col = q % p.y.w;
  if (q >= p.y.h * p.y.w || n >= p.y.n)
    return;
  float s = 0;
  for (int c = 0; c < p.x.c; ++c)
    for (int i = 0; i < p.w.h; ++i)
      for (int j = 0; j < p.w.w; ++j) {
        const int a = row * p.stride + i - p.pad;
        const int b = col * p.stride + j - p.pad;
        if (a >= 0 && b >= 0 && a < p.x.h && b < p.x.w)
          s += p.x(n, c, a, b) * p.w(o, c, i, j);
      }
  p.y(n, o, row, col) = leaky(s, p.slope);
}
