/* Strides and dilations of both directions, without padding. */
void atrous(const float *x, const float *w, float *y, int C, int M, int H,
            int W, int K, int sh, int sw, int dh, int dw) {
  int OH = (H - (K - 1) * dh - 1) / sh + 1, OW = (W - (K - 1) * dw - 1) / sw + 1;
  for (int m = 0; m < M; m++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int u = 0; u < K; u++)
            for (int v = 0; v < K; v++)
              sum += x[(c * H + i * sh + u * dh) * W + j * sw + v * dw] *
                     w[((m * C + c) * K + u) * K + v];
        y[(m * OH + i) * OW + j] = sum;
      }
}
