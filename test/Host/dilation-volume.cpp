// RUN: %host %s %t
// CALL: atrous(40, 50, 9, 10, 35, 3, 2, 1, 1, 2, 3, 2)
// CALL: atrous(33, 40, 8, 20, 37, 3, 1, 1, 1, 1, 1, 1)
void atrous(const float *in, const float *f, float *out, int H, int W, int OD,
            int OH, int OW, int K, int sz, int sy, int sx, int dz, int dy,
            int dx) {
  for (int z = 0; z < OD; ++z)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x) {
        float sum = 0;
        for (int k = 0; k < K; ++k)
          for (int i = 0; i < K; ++i)
            for (int j = 0; j < K; ++j)
              sum += in[(z * sz + k * dz) * H * W + (y * sy + i * dy) * W +
                        x * sx + j * dx] *
                     f[(k * K + i) * K + j];
        out[(z * OH + y) * OW + x] = sum;
      }
}
