// Volumes instead of images, with zero padding.

void conv3d(int C, int D, int H, int W, int M, int K, int pad, int OD, int OH,
            int OW, const float x[C][D][H][W], const float w[M][C][K][K][K],
            float y[M][OD][OH][OW]) {
  for (int m = 0; m < M; m++)
    for (int oz = 0; oz < OD; oz++)
      for (int oy = 0; oy < OH; oy++)
        for (int ox = 0; ox < OW; ox++) {
          float sum = 0.0f;
          for (int c = 0; c < C; c++)
            for (int t = 0; t < K; t++)
              for (int r = 0; r < K; r++)
                for (int s = 0; s < K; s++) {
                  int iz = oz + t - pad, iy = oy + r - pad, ix = ox + s - pad;
                  if (iz >= 0 && iz < D && iy >= 0 && iy < H && ix >= 0 &&
                      ix < W)
                    sum += x[c][iz][iy][ix] * w[m][c][t][r][s];
                }
          y[m][oz][oy][ox] = sum;
        }
}
