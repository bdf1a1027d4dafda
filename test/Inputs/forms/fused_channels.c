void conv(const float *in, const float *w, float *out, int C, int O, int H,
          int W, int K) {
  int OH = H - K + 1, OW = W - K + 1, CKK = C * K * K;
  for (int o = 0; o < O; o++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int k = 0; k < CKK; k++) {
          int c = k / (K * K), i = k / K % K, j = k % K;
          s += in[(c * H + y + i) * W + x + j] * w[o * CKK + k];
        }
        out[(o * OH + y) * OW + x] = s;
      }
}
