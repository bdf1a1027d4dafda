// Windows of a volume have a stride along its planes, too: no channels.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CHECK: array in: float[{{[^]]*}}sd{{[^]]*}}][H][W] input
// VERIFIED: verified: {{[0-9]+}} shapes
void conv(const float *in, const float *w, float *out, int O, int D, int H,
          int W, int K, int sd) {
  for (int o = 0; o < O; o++)
    for (int z = 0; z < D; z++)
      for (int y = 0; y < H - K + 1; y++)
        for (int x = 0; x < W - K + 1; x++) {
          float v = 0;
          for (int k = 0; k < K; k++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++)
                v += in[((z * sd + k) * H + y + i) * W + x + j] *
                     w[((o * K + k) * K + i) * K + j];
          out[((o * D + z) * (H - K + 1) + y) * (W - K + 1) + x] = v;
        }
}
