void conv(const float *in, const float *w, float *out, int C, int H, int W,
          int K) {
  int OH = H - K + 1, OW = W - K + 1;
  int outSize = OH * OW;
  for (int c = 0; c < C; c++) {
    int inBase = c * H * W;
    int outBase = c * outSize;
    for (int y = 0; y < OH; y++) {
      int row = outBase + y * OW;
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int i = 0; i < K; i++) {
          int r = inBase + (y + i) * W;
          for (int j = 0; j < K; j++)
            s += in[r + x + j] * w[c * K * K + i * K + j];
        }
        out[row + x] = s;
      }
    }
  }
}
