// Views with a stride for each dimension: which is the fastest is what the
// threads of a warp differ in, in whatever order they are declared.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -shape=out_n0=2,out_n1=5,out_n2=7,in_n1=6,in_n2=8,w_n1=3,w_n2=2,p=1,in_s0=48,in_s1=8,in_s2=1,w_s0=6,w_s1=2,w_s2=1,out_s0=35,out_s1=7,out_s2=1 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: 1 shape
// CHECK: for c in 0 .. out_n0 {
// CHECK-NEXT: for y in 0 .. out_n1 {
// CHECK-NEXT: for x in 0 .. out_n2 {
// CHECK: s += in_p[c][y + i - p][x + j - p][0] *
// CHECK: out_p[c][y][x][0] = s
template <class T> struct Accessor {
  T *p;
  int n0, n1, n2, s0, s1, s2;
  __host__ __device__ T &operator()(int c, int y, int x) const {
    return p[c * s0 + y * s1 + x * s2];
  }
};
__global__ void conv(Accessor<const float> in, Accessor<const float> w,
                     Accessor<float> out, int p) {
  const int c = blockIdx.z;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= out.n0 || y >= out.n1 || x >= out.n2)
    return;
  float s = 0;
  for (int i = 0; i < w.n1; ++i)
    for (int j = 0; j < w.n2; ++j)
      if (y + i >= p && y + i - p < in.n1 && x + j >= p && x + j - p < in.n2)
        s += in(c, y + i - p, x + j - p) * w(c, i, j);
  out(c, y, x) = s;
}
