// Groups and images in one index of the grid, which nothing guards.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: launch grid(ceildiv(OW, 16), ceildiv(OH, 8), N * M exact)
// CHECK: for nm_div in 0 .. N
// CHECK: for nm_mod_div in 0 .. G
__global__ void conv(const float *x, const float *w, float *y, int N, int C,
                     int M, int H, int W, int K, int P, int S, int G, int OH,
                     int OW) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  int p = blockIdx.y * blockDim.y + threadIdx.y;
  int nm = blockIdx.z;
  if (q >= OW || p >= OH)
    return;
  int n = nm / M, m = nm - n * M;
  int g = m / (M / G), CG = C / G;
  float s = 0;
  for (int c = g * CG; c < (g + 1) * CG; ++c)
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < K; ++j) {
        int h = p * S + i - P, v = q * S + j - P;
        if (h >= 0 && h < H && v >= 0 && v < W)
          s += x[((n * C + c) * H + h) * W + v] *
               w[((m * CG + c - g * CG) * K + i) * K + j];
      }
  y[(nm * OH + p) * OW + q] = s;
}

void run(const float *x, const float *w, float *y, int N, int C, int M, int H,
         int W, int K, int P, int S, int G, int OH, int OW) {
  conv<<<dim3((OW + 15) / 16, (OH + 7) / 8, N * M), dim3(16, 8)>>>(
      x, w, y, N, C, M, H, W, K, P, S, G, OH, OW);
}
