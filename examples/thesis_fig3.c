// Rasmussen and Utne (2025), figure 3, in C: the arrays are parameters whose
// extents are run-time values, so subscripts read as in the figure.

void conv(int N, int O, int H, int W, int F, const float inputs[N][H][W],
          const float filters[N][O][F][F],
          float outputs[O][H - F + 1][W - F + 1]) {
  for (int o = 0; o < O; o++)
    for (int y = 0; y < H - F + 1; y++)
      for (int x = 0; x < W - F + 1; x++) {
        float tmp = 0;
        for (int n = 0; n < N; n++)
          for (int i = 0; i < F; i++)
            for (int j = 0; j < F; j++)
              tmp += inputs[n][y + i][x + j] * filters[n][o][i][j];
        outputs[o][y][x] = tmp;
      }
}
