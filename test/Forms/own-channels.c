// An image has a number of channels of its own, of which the sum takes some: no
// window slides along images.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CHECK: array in: float[N][IC][H][W] input
// CHECK: assume IC - C >= 0
// VERIFIED: verified: {{[0-9]+}} shapes
// VERIFIED: conv_tiled_K3: for K=3, {{.*}} 'in', 'w' in shared memory
void conv(const float *in, const float *w, float *out, int N, int C, int IC,
          int H, int W, int O, int K, int P) {
  for (int b = 0; b < N; b++)
    for (int o = 0; o < O; o++)
      for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
          float v = 0;
          for (int c = 0; c < C; c++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++) {
                int iy = y + i - P, ix = x + j - P;
                if (iy < 0 || iy >= H || ix < 0 || ix >= W)
                  continue;
                v += in[((b * IC + c) * H + iy) * W + ix] *
                     w[((o * C + c) * K + i) * K + j];
              }
          out[((b * O + o) * H + y) * W + x] = v;
        }
}
