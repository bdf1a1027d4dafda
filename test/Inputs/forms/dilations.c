void conv(const float *in, const float *w, float *out, int H, int W, int K,
          int DY, int DX) {
  int OH = H - DY * (K - 1), OW = W - DX * (K - 1);
  for (int y = 0; y < OH; y++)
    for (int x = 0; x < OW; x++) {
      float s = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += in[(y + i * DY) * W + x + j * DX] * w[i * K + j];
      out[y * OW + x] = s;
    }
}
