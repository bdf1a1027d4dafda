// Refused: loops that the threads of a block share by two numbers, or by one
// that is no block's.
// RUN: not %convopt %s -function=two -emit=nest 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: not %convopt %s -function=wide -emit=nest 2>&1 | FileCheck --check-prefix=WIDE %s
__global__ void two(const float *x, const float *w, float *y, int n, int k) {
  for (int i = threadIdx.x; i < n; i += 256) {
    float s = 0;
    for (int a = 0; a < k; a++)
      s += x[i + a] * w[a];
    y[i] = s;
  }
  // TWO: [[@LINE+1]]:{{[0-9]+}}: error: the threads do not share the iterations of loop 'i'
  for (int i = threadIdx.x; i < n; i += 128)
    y[i + n] = 1;
}

__global__ void wide(const float *x, const float *w, float *y, int n, int k) {
  // WIDE: [[@LINE+1]]:{{[0-9]+}}: error: the threads do not share the iterations of loop 'i'
  for (int i = threadIdx.x; i < n; i += 2048) {
    float s = 0;
    for (int a = 0; a < k; a++)
      s += x[i + a] * w[a];
    y[i] = s;
  }
}
