// RUN: %host %s %t
// RUN: %convopt %s -verify=cpu -shape=C=2,D=1,M=1,H=1,W=1,K=3 -o %t/out.cu
// Two filters, of each of which an image of one row touches a row: what is
// assumed of copies of the one is not known of the other.
// CALL: gate(3, 2, 4, 20, 33, 3)
// CALL: gate(2, 3, 3, 3, 40, 5)
void gate(const float *x, const float *h, const float *wx, const float *wh,
          float *g, int C, int D, int M, int H, int W, int K) {
  const int P = K / 2;
  for (int m = 0; m < M; ++m)
    for (int y = 0; y < H; ++y)
      for (int v = 0; v < W; ++v) {
        float sum = 0;
        for (int c = 0; c < C; ++c)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j)
              if (y + i >= P && y + i < H + P && v + j >= P && v + j < W + P)
                sum += x[(c * H + y + i - P) * W + v + j - P] *
                       wx[((m * C + c) * K + i) * K + j];
        for (int c = 0; c < D; ++c)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j)
              if (y + i >= P && y + i < H + P && v + j >= P && v + j < W + P)
                sum += h[(c * H + y + i - P) * W + v + j - P] *
                       wh[((m * D + c) * K + i) * K + j];
        g[(m * H + y) * W + v] = sum;
      }
}
