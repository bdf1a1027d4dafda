// The index of a thread and the first index of its tile with the thread's own.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: sum += in[row + a][col + b] * w[a][b]
#define TILE 16
__global__ void conv(const float *in, const float *w, float *out, int OH,
                     int OW, int K) {
  const int across = (OW + TILE - 1) / TILE;
  const int top = blockIdx.x / across * TILE;
  const int left = blockIdx.x % across * TILE;
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = top + ty, col = left + tx;
  if (row < OH && col < OW) {
    float sum = 0;
    for (int a = 0; a < K; ++a)
      for (int b = 0; b < K; ++b)
        sum += in[(top + a + ty) * (OW + K - 1) + (left + tx + b)] *
               w[a * K + b];
    out[row * OW + col] = sum;
  }
}

void run(const float *in, const float *w, float *out, int OH, int OW, int K) {
  int across = (OW + TILE - 1) / TILE, down = (OH + TILE - 1) / TILE;
  conv<<<across * down, dim3(TILE, TILE)>>>(in, w, out, OH, OW, K);
}
