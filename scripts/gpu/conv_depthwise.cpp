// A depthwise layer: a filter for each channel, zero padding and strides.

void conv_depthwise(const float *x, const float *w, float *y, int N, int C,
                    int H, int W, int R, int S, int pad_h, int pad_w,
                    int stride_h, int stride_w) {
  const int OH = (H + 2 * pad_h - R) / stride_h + 1;
  const int OW = (W + 2 * pad_w - S) / stride_w + 1;
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int oy = 0; oy < OH; oy++)
        for (int ox = 0; ox < OW; ox++) {
          float sum = 0.0f;
          for (int r = 0; r < R; r++)
            for (int s = 0; s < S; s++) {
              const int iy = oy * stride_h + r - pad_h;
              const int ix = ox * stride_w + s - pad_w;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                sum += x[((n * C + c) * H + iy) * W + ix] *
                       w[(c * R + r) * S + s];
            }
          y[((n * C + c) * OH + oy) * OW + ox] = sum;
        }
}
