// A layer of complex numbers, real and imaginary parts in arrays of their own.

void complex_planes(const float *xr, const float *xi, const float *wr,
                    const float *wi, float *yr, float *yi, int C, int M, int H,
                    int W, int K, int P) {
  for (int m = 0; m < M; m++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float re = 0, im = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int r = y + i - P, s = x + j - P;
              if (r < 0 || r >= H || s < 0 || s >= W)
                continue;
              int a = (c * H + r) * W + s, b = ((m * C + c) * K + i) * K + j;
              re += xr[a] * wr[b] - xi[a] * wi[b];
              im += xr[a] * wi[b] + xi[a] * wr[b];
            }
        yr[(m * H + y) * W + x] = re;
        yi[(m * H + y) * W + x] = im;
      }
}
