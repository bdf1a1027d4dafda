void batch_strides(const float *in, const float *f, float *out, int N, int C,
                   int H, int W, int K, long image, long plane, long pitch) {
  int OH = H - K + 1, OW = W - K + 1;
  for (int n = 0; n < N; n++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              s += in[n * image + c * plane + (y + i) * pitch + x + j] *
                   f[(c * K + i) * K + j];
        out[(n * OH + y) * OW + x] = s;
      }
}
