// The gradient of an unfolded image: rows of its last tap end before those of
// the others.
// RUN: %host %s %t | count 4
// CALL: col2im(4, 20, 22, 3, 1, 1, 20, 22)
// CALL: col2im(4, 28, 28, 3, 2, 1, 14, 14)
// CALL: col2im(2, 29, 29, 4, 2, 0, 13, 13)
// CALL: col2im(2, 21, 19, 5, 3, 2, 7, 7)
void col2im(const float *col, float *im, int C, int H, int W, int K, int S,
            int P, int OH, int OW) {
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float v = 0;
        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++) {
            int h = y + P - i, w = x + P - j;
            if (h % S == 0 && w % S == 0 && h >= 0 && w >= 0 && h / S < OH &&
                w / S < OW)
              v += col[(((c * K + i) * K + j) * OH + h / S) * OW + w / S];
          }
        im[(c * H + y) * W + x] = v;
      }
}
