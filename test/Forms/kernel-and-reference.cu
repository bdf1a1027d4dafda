// A kernel that the file launches beside a function of the host with the same
// loops is what is taken.
// RUN: %convopt %s -emit=nest 2>%t.err | FileCheck %s
// RUN: FileCheck --check-prefix=TAKEN --input-file=%t.err %s
// CHECK: nest conv from
// TAKEN: [[@LINE+3]]:17: remark: 'conv' is taken
// TAKEN: [[@LINE+14]]:6: note: not 'conv_cpu', a function of the host
// TAKEN-NOT: error
__global__ void conv(const float *x, const float *w, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int j = 0; j < 5; j++)
      s += x[i + j] * w[j];
    y[i] = s;
  }
}
void run(const float *x, const float *w, float *y, int n) {
  conv<<<(n + 255) / 256, 256>>>(x, w, y, n);
}
void conv_cpu(const float *x, const float *w, float *y, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < 5; j++)
      s += x[i + j] * w[j];
    y[i] = s;
  }
}
