// Sums of products of bytes, and of their distances.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S2: s = __dp4a(x[i + k], w[k], s)
// CHECK: S3: d += __vsadu4(__byte_perm(
__global__ void dots(const int *x, const int *w, int *y, unsigned *z, int n,
                     int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int s = 0;
  unsigned d = 0;
  for (int k = 0; k < m; ++k) {
    s = __dp4a(x[i + k], w[k], s);
    d += __vsadu4(__byte_perm(x[i + k], 0, 0x0123), w[k]) +
         __sad(x[i + k], w[k], 0u) + __usad(x[i + k], w[k], 0u);
  }
  y[i] = s;
  z[i] = d;
}
