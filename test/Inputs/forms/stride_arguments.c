void conv(const float *in, const float *w, float *out, int C, int OH, int OW,
          int O, int K, int in_row_stride, int in_plane_stride,
          int out_row_stride, int out_plane_stride) {
  for (int o = 0; o < O; o++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              s += in[c * in_plane_stride + (y + i) * in_row_stride + x + j] *
                   w[((o * C + c) * K + i) * K + j];
        out[o * out_plane_stride + y * out_row_stride + x] = s;
      }
}
