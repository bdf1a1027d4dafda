void volume(const double *x, const double *k, double *y, int M, int C, int D,
            int H, int W, int K, int dil) {
  int OD = D - dil * (K - 1), OH = H - dil * (K - 1), OW = W - dil * (K - 1);
  for (int m = 0; m < M; ++m)
    for (int d = 0; d < OD; ++d)
      for (int h = 0; h < OH; ++h)
        for (int w = 0; w < OW; ++w) {
          double sum = 0;
          for (int c = 0; c < C; ++c)
            for (int a = 0; a < K; ++a)
              for (int b = 0; b < K; ++b)
                for (int e = 0; e < K; ++e)
                  sum += x[((c * D + d + a * dil) * H + h + b * dil) * W + w +
                           e * dil] *
                         k[(((m * C + c) * K + a) * K + b) * K + e];
          y[((m * OD + d) * OH + h) * OW + w] = sum;
        }
}
