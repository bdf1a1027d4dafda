// A padded layer with a stride: nearly all of its work is that of full tiles
// whose windows lie inside of the image.
void padded(const float *in, const float *w, float *out, int C, int M, int H,
            int W, int K, int s, int p) {
  int OH = (H + 2 * p - K) / s + 1, OW = (W + 2 * p - K) / s + 1;
  for (int m = 0; m < M; m++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int iy = y * s + i - p, ix = x * s + j - p;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                sum += in[(c * H + iy) * W + ix] *
                       w[((m * C + c) * K + i) * K + j];
            }
        out[(m * OH + y) * OW + x] = sum;
      }
}
