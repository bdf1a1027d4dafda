// RUN: %host %s %t
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// A loop over the filters of a group, from the group's first on.
// CHECK: array y: float[N][G][OCG][OH][OW] output
// CHECK: for m in 0 .. OCG
// CALL: grp(2, 4, 4, 3, 32, 34, 3, 2, 1)
// CALL: grp(1, 3, 2, 5, 33, 31, 5, 1, 2)
void grp(const float *x, const float *w, float *y, int N, int G, int OCG,
         int ICG, int H, int W, int K, int S, int P) {
  int OH = (H + 2 * P - K) / S + 1, OW = (W + 2 * P - K) / S + 1;
  int C = G * ICG, M = G * OCG;
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++)
      for (int m = g * OCG; m < (g + 1) * OCG; m++)
        for (int p = 0; p < OH; p++)
          for (int q = 0; q < OW; q++) {
            float s = 0;
            for (int c = 0; c < ICG; c++)
              for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++) {
                  int h = p * S + i - P, v = q * S + j - P;
                  if (h >= 0 && h < H && v >= 0 && v < W)
                    s += x[((n * C + g * ICG + c) * H + h) * W + v] *
                         w[((m * ICG + c) * K + i) * K + j];
                }
            y[((n * M + m) * OH + p) * OW + q] = s;
          }
}
