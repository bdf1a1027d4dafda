// Nothing guards the threads: the launch says how many there are.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
struct Dims {
  int H, W, K;
};

// CHECK: launch grid(p_W exact, p_H exact, 1)
__global__ void conv(const float *x, const float *w, const float *bias,
                     float *y, Dims p) {
  int j = blockIdx.x;
  int i = blockIdx.y;
  int r = p.K / 2;
  float s = bias ? bias[0] : 0.f;
  for (int a = -r; a <= r; a++)
    for (int b = -r; b <= r; b++)
      if (i + a >= 0 && i + a < p.H && j + b >= 0 && j + b < p.W)
        s += x[(i + a) * p.W + j + b] * w[(a + r) * p.K + b + r];
  y[i * p.W + j] = s;
}

void run(const float *x, const float *w, const float *bias, float *y, Dims d) {
  dim3 grid(d.W, d.H);
  conv<<<grid, 1>>>(x, w, bias, y, d);
}
