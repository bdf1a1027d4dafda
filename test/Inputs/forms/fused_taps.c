void conv(const float *in, const float *w, float *out, int H, int W, int KH,
          int KW) {
  int OH = H - KH + 1, OW = W - KW + 1;
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++) {
      float s = 0;
      for (int k = 0; k < KH * KW; k++) {
        int i = k / KW, j = k % KW;
        s += in[(y + i) * W + x + j] * w[k];
      }
      out[y * OW + x] = s;
    }
}
