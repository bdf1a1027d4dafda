// Requantisation by the conversions of CUDA, and a zero point outside.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: __float2int_rn(
__global__ void qconv(const unsigned char *x, const signed char *w, const int *b, unsigned char *y, int C, int H, int W, int OC, int K, int P, unsigned char xz, float scale, int yz) {
  int ox = blockDim.x * blockIdx.x + threadIdx.x, oy = blockDim.y * blockIdx.y + threadIdx.y, oc = blockDim.z * blockIdx.z + threadIdx.z;
  int OH = H + 2 * P - K + 1, OW = W + 2 * P - K + 1;
  if (!(ox < OW && oy < OH && oc < OC)) return;
  int acc = b[oc];
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < K; ++r)
      for (int s = 0; s < K; ++s) {
        int iy = oy + r - P, ix = ox + s - P;
        unsigned char v = xz;
        if ((unsigned)iy < (unsigned)H && (unsigned)ix < (unsigned)W) v = x[(c * H + iy) * W + ix];
        acc += ((int)v - (int)xz) * w[((oc * C + c) * K + r) * K + s];
      }
  int q = __float2int_rn(acc * scale) + yz;
  y[(oc * OH + oy) * OW + ox] = (unsigned char)min(max(q, 0), 255);
}
