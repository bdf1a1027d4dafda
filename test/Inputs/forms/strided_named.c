void conv(const float *in, const float *w, const float *bias, float *out, int N,
          int C, int H, int W, int O, int K, int stride, int pad) {
  int OH = (H + 2 * pad - K) / stride + 1;
  int OW = (W + 2 * pad - K) / stride + 1;
  int in_hw = H * W, in_chw = C * in_hw;
  int out_hw = OH * OW, out_chw = O * out_hw;
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++) {
          float s = bias[o];
          for (int c = 0; c < C; c++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++) {
                int iy = y * stride - pad + i;
                int ix = x * stride - pad + j;
                if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                  s += in[n * in_chw + c * in_hw + iy * W + ix] *
                       w[o * C * K * K + c * K * K + i * K + j];
              }
          out[n * out_chw + o * out_hw + y * OW + x] = s;
        }
}
