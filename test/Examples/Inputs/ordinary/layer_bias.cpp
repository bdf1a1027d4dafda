// A layer that adds a bias, with a name for each operand.

void layer_bias(const float *in, const float *weights, const float *bias,
                float *out, int C, int H, int W, int M, int K) {
  int OH = H - K + 1;
  int OW = W - K + 1;
  for (int m = 0; m < M; m++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float sum = 0.0f;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              float v = in[(c * H + y + i) * W + x + j];
              float w = weights[((m * C + c) * K + i) * K + j];
              sum += v * w;
            }
        out[(m * OH + y) * OW + x] = sum + bias[m];
      }
}
