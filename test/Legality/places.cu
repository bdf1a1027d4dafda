// Which of two places is read last depends on the sizes, and so does where the
// caller's array may end: no box of it is copied.
//
// RUN: %convopt %s -o %t.cu -Rpass-missed=stage 2>&1 | FileCheck %s
// RUN: %status 2 %convopt %s -staging=shared -o %t.cu 2>&1 \
// RUN:   | FileCheck --check-prefix=ASKED %s
// CHECK-DAG: remark: {{.*}}'in' is read to its end only where sizes, flags or guards say so
// CHECK-DAG: 'in' in global memory
// ASKED: error: -staging=shared cannot stage 'in': 'in' is read to its end only where sizes, flags or guards say so, and is copied all the same [Storage]
__global__ void f(const float *in, float *out, int H, int W, int P, int b) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H)
    return;
  float s = 0;
  for (int i = 0; i < 12; ++i)
    s += in[(y + i) * P + x] + in[y * P + x + b * i];
  out[y * W + x] = s;
}
