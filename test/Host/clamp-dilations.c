// RUN: %host %s %t -tile=16,4 -reg=2
// A clamped border of its own width and dilation in each direction, of an image
// that no loop has the size of.
// CALL: atrous(30, 33, 3, 2, 3, 1, 2)
// CALL: atrous(30, 33, 5, 1, 1, 2, 2)
void atrous(const float *in, const float *f, float *out, int H, int W, int K,
            int dh, int dw, int ph, int pw) {
  int OH = H + 2 * ph - dh * (K - 1), OW = W + 2 * pw - dw * (K - 1);
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++) {
      float s = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
          int v = y + i * dh - ph, u = x + j * dw - pw;
          if (v < 0)
            v = 0;
          else if (v >= H)
            v = H - 1;
          if (u < 0)
            u = 0;
          else if (u >= W)
            u = W - 1;
          s += in[v * W + u] * f[i * K + j];
        }
      out[y * OW + x] = s;
    }
}
