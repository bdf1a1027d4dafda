// RUN: %host %s %t
// CALL: gradients(3, 5, 9, 12)
// CALL: gradients(1, 17, 5, 4)
// The gradients of filters and of the image, which one statement each adds to in
// the same loops: a kernel each, of which the second gathers.

void gradients(int C, int K, int H, int W, const float *dy, const float *in,
               const float *w, float *dw, float *dx) {
  for (int k = 0; k < K; k++)
    for (int y = 0; y < H - 2; y++)
      for (int x = 0; x < W - 2; x++) {
        float g = dy[(k * (H - 2) + y) * (W - 2) + x];
        for (int c = 0; c < C; c++)
          for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
              dw[((k * C + c) * 3 + i) * 3 + j] +=
                  g * in[(c * H + y + i) * W + x + j];
              dx[(c * H + y + i) * W + x + j] +=
                  g * w[((k * C + c) * 3 + i) * 3 + j];
            }
      }
}
