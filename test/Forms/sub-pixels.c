// Outputs of several filters side by side, r x r for each place.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: s += x[c][i + u][j + v] * w[a][b][u][v]
// CHECK: S2: y[c][i][a][j][b] = s
void upscale(const float *x, const float *w, float *y, int C, int H, int W,
             int r, int K) {
  for (int c = 0; c < C; c++)
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++)
        for (int a = 0; a < r; a++)
          for (int b = 0; b < r; b++) {
            const float *window = x + (c * (H + K - 1) + i) * (W + K - 1) + j;
            const float *filter = w + (a * r + b) * K * K;
            float s = 0;
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++)
                s += window[u * (W + K - 1) + v] * *filter++;
            y[(c * H * r + i * r + a) * W * r + j * r + b] = s;
          }
}
