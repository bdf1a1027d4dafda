void pitched(const float *in, const float *w, float *out, int D, int H, int W,
             int K, int slice, int row) {
  for (int z = 0; z <= D - K; ++z)
    for (int y = 0; y <= H - K; ++y)
      for (int x = 0; x <= W - K; ++x) {
        float sum = 0.0f;
        for (int a = 0; a < K; ++a)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j)
              sum += in[(z + a) * slice + (y + i) * row + x + j] *
                     w[(a * K + i) * K + j];
        out[z * slice + y * row + x] = sum;
      }
}
