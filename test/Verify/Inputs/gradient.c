void gradient(const float *dout, const float *w, float *din, int C, int M,
              int H, int W, int stride, int pad) {
  const int OH = (H + 2 * pad - 3) / stride + 1;
  const int OW = (W + 2 * pad - 3) / stride + 1;
  for (int c = 0; c < C; ++c)
    for (int y = 0; y < H; ++y)
      for (int x = 0; x < W; ++x) {
        float sum = 0.0f;
        for (int m = 0; m < M; ++m)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
              int oy = y + pad - i;
              int ox = x + pad - j;
              if (oy < 0 || ox < 0 || oy % stride != 0 || ox % stride != 0)
                continue;
              oy /= stride;
              ox /= stride;
              if (oy < OH && ox < OW)
                sum += dout[(m * OH + oy) * OW + ox] *
                       w[((m * C + c) * 3 + i) * 3 + j];
            }
        din[(c * H + y) * W + x] = sum;
      }
}
