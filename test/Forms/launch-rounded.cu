// A launch that rounds up, of a kernel that relies on whole blocks.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#define THREADS 128

// CHECK: launch grid(ceildiv(n, 128) exact, 1, 1) block(128, 1, 1)
// CHECK: assume -(n % 128) >= 0 "blocks along 'x' end where it does"
// CHECK: for x in 0 .. n {
__global__ void conv(const float *in, const float *k, float *out, int n, int m) {
  int x = blockIdx.x * THREADS + threadIdx.x;
  float s = 0;
  for (int i = 0; i < m; i++)
    s += in[x + i] * k[i];
  out[x] = s;
}

void run(const float *in, const float *k, float *out, int n, int m) {
  conv<<<(n + THREADS - 1) / THREADS, THREADS>>>(in, k, out, n, m);
}
