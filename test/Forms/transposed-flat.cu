// A transposed convolution with a thread for each output: the digits of its
// index are divided by the stride.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// CHECK: S1: v += in[c][floordiv(idx_mod_div + P - i, S)][floordiv(idx_mod_mod + P - j, S)] * w[c][idx_div][i][j]
// CHECK: S2: out[idx_div][idx_mod_div][idx_mod_mod] = (v > 0 ? v : 0.1f * v)
__global__ void deconv(const float *in, const float *w, const float *b,
                       float *out, int Cin, int Cout, int H, int W, int K,
                       int S, int P, int OH, int OW) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= Cout * OH * OW)
    return;
  int ox = idx % OW, oy = idx / OW % OH, oc = idx / (OW * OH);
  float v = b[oc];
  for (int c = 0; c < Cin; c++)
    for (int i = 0; i < K; i++) {
      int y = oy + P - i;
      if (y < 0 || y % S)
        continue;
      y /= S;
      if (y >= H)
        continue;
      for (int j = 0; j < K; j++) {
        int x = ox + P - j;
        if (x < 0 || x % S)
          continue;
        x /= S;
        if (x >= W)
          continue;
        v += in[(c * H + y) * W + x] * w[((c * Cout + oc) * K + i) * K + j];
      }
    }
  out[idx] = v > 0 ? v : 0.1f * v;
}
