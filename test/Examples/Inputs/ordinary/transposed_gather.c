// A transposed convolution that asks each output what reaches it.

void transposed_gather(const float *x, const float *w, float *y, int C, int M,
                       int H, int W, int K, int S, int P, int OH, int OW) {
  for (int m = 0; m < M; m++)
    for (int oy = 0; oy < OH; oy++)
      for (int ox = 0; ox < OW; ox++) {
        float sum = 0.0f;
        for (int c = 0; c < C; c++)
          for (int r = 0; r < K; r++)
            for (int s = 0; s < K; s++) {
              int iy = oy + P - r, ix = ox + P - s;
              if (iy >= 0 && iy % S == 0 && iy / S < H && ix >= 0 &&
                  ix % S == 0 && ix / S < W)
                sum += x[(c * H + iy / S) * W + ix / S] *
                       w[((c * M + m) * K + r) * K + s];
            }
        y[(m * OH + oy) * OW + ox] = sum;
      }
}
