// RUN: %convopt %s -function=gradient -emit=nest | FileCheck %s
// RUN: %convopt %s -function=gradient -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=filter -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=blur -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=given -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=swaps -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=swapped -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// A structure is declared, and its fields are set one by one. What its
// constructor sets before is known, and what it leaves out is not.
// CHECK: S0: g_x = v[i + 1] - v[i]
// CHECK-NEXT: S1: o[i] = g_x * g_x + v[i] * v[i]
// VERIFIED: verified: {{[0-9]+}} shapes
__global__ void gradient(const float *v, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 g;
  g.x = v[i + 1] - v[i];
  g.y = v[i];
  o[i] = g.x * g.x + g.y * g.y;
}
__global__ void filter(const float3 *v, const float *w, float3 *o, int n,
                       int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 sum;
  sum.x = sum.y = 0;
  sum.z = 0.0f;
  for (int k = 0; k < m; k++) {
    sum.x += v[i + k].x * w[k];
    sum.y += v[i + k].y * w[k];
    sum.z += v[i + k].z * w[k];
  }
  o[i] = sum;
}
struct Pixel {
  float r, g, b;
};
void blur(const Pixel *in, const float *w, Pixel *out, int H, int W) {
  Pixel sum, p;
  for (int y = 0; y < H - 2; y++)
    for (int x = 0; x < W - 2; x++) {
      sum.r = sum.g = sum.b = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          p = in[(y + i) * W + x + j];
          sum.r += p.r * w[i * 3 + j];
          sum.g += p.g * w[i * 3 + j];
          sum.b += p.b * w[i * 3 + j];
        }
      out[y * W + x] = sum;
    }
}
struct Empty {
  float x, y;
  __host__ __device__ Empty() {}
};
struct Usual {
  float x = 2, y, z = 3;
};
struct Listed {
  float x = 4, y;
  __host__ __device__ Listed() : y(5) {}
};
void given(const float *in, float *out, int n) {
  for (int i = 0; i < n; i++) {
    Empty e;
    Usual u;
    Listed l;
    e.x = in[i];
    e.y = e.x * e.x;
    u.y = in[i];
    u.x += in[i];
    l.y *= in[i];
    out[3 * i] = e.x + e.y;
    out[3 * i + 1] = u.x + u.y + u.z;
    out[3 * i + 2] = l.x + l.y;
  }
}
// A structure that is set from itself is read as a whole first.
void swaps(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    float2 p = {0, 0};
    for (int j = 0; j < 3; ++j) {
      p.x += x[i + j];
      p = make_float2(p.y, p.x);
    }
    y[i] = p.x - p.y;
  }
}
void swapped(float2 *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = make_float2(x[i].y, x[i].x);
}
