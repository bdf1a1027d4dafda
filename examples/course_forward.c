// The CPU version of a convolution layer as a course project has it (ECE 408
// style): a batch of B images, C input and M output feature maps, the sum added
// straight into the output element.

void forward(int B, int M, int C, int H, int W, int K,
             float y[B][M][H - K + 1][W - K + 1], const float x[B][C][H][W],
             const float k[M][C][K][K]) {
  for (int b = 0; b < B; ++b) {
    for (int m = 0; m < M; ++m) {
      for (int h = 0; h < H - K + 1; ++h) {
        for (int w = 0; w < W - K + 1; ++w) {
          y[b][m][h][w] = 0;
          for (int c = 0; c < C; ++c) {
            for (int p = 0; p < K; ++p) {
              for (int q = 0; q < K; ++q) {
                y[b][m][h][w] += x[b][c][h + p][w + q] * k[m][c][p][q];
              }
            }
          }
        }
      }
    }
  }
}
