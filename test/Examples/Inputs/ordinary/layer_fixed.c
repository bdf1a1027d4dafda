// A layer whose sizes are all known, with zero padding.

void layer_fixed(const float x[16][64][56][56], const float w[128][64][3][3],
                 float y[16][128][56][56]) {
  for (int n = 0; n < 16; n++)
    for (int k = 0; k < 128; k++)
      for (int oy = 0; oy < 56; oy++)
        for (int ox = 0; ox < 56; ox++) {
          float sum = 0.0f;
          for (int c = 0; c < 64; c++)
            for (int r = 0; r < 3; r++)
              for (int s = 0; s < 3; s++) {
                int iy = oy + r - 1, ix = ox + s - 1;
                if (iy >= 0 && iy < 56 && ix >= 0 && ix < 56)
                  sum += x[n][c][iy][ix] * w[k][c][r][s];
              }
          y[n][k][oy][ox] = sum;
        }
}
