// The gradient of the input at a stride, which each thread adds to what is there.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: g += dy[idx_div_div][o][floordiv(idx_mod_div + P - i, S)][floordiv(idx_mod_mod + P - j, S)] * w[o][idx_div_mod][i][j]
// CHECK: S2: dx[idx_div_div][idx_div_mod][idx_mod_div][idx_mod_mod] += g
__global__ void backward(const float *dy, const float *w, float *dx, int N,
                         int C, int O, int H, int W, int OH, int OW, int K,
                         int S, int P) {
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= N * C * H * W)
    return;
  const int x = idx % W, y = (idx / W) % H;
  const int c = (idx / (W * H)) % C, n = idx / (W * H * C);
  float g = 0.f;
  for (int o = 0; o < O; o++)
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++) {
        const int h = y + P - i, v = x + P - j;
        if (h < 0 || v < 0 || h % S != 0 || v % S != 0)
          continue;
        const int oh = h / S, ow = v / S;
        if (oh < OH && ow < OW)
          g += dy[((n * O + o) * OH + oh) * OW + ow] *
               w[((o * C + c) * K + i) * K + j];
      }
  atomicAdd(dx + idx, g);
}
