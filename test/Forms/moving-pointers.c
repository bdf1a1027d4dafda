// A padded layer that walks through its arrays, as code for small machines does.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -reg=2,2 -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S{{[0-9]+}}: acc += in[b][c][y + i][x + j] * weights[m][c][i][j]
// CHECK: S{{[0-9]+}}: out[b][m][y + pad][x + pad] = acc
void conv2d(const float *in, const float *weights, const float *bias,
            float *out, int B, int C, int H, int W, int M, int K, int pad) {
  const int OH = H + 2 * pad - K + 1;
  const int OW = W + 2 * pad - K + 1;
  int b, m, y, x, c, i, j;
  for (b = 0; b < B; b++, in += C * H * W) {
    const float *w = weights;
    for (m = 0; m < M; m++) {
      for (y = -pad; y < OH - pad; y++)
        for (x = -pad; x < OW - pad; x++) {
          const float *plane = in, *f = w;
          float acc = bias[m];
          for (c = 0; c < C; c++, plane += H * W)
            for (i = 0; i < K; i++) {
              const float *row = plane + (y + i) * W;
              for (j = 0; j < K; j++, f++) {
                if (y + i < 0 || y + i >= H || x + j < 0 || x + j >= W)
                  continue;
                acc += row[x + j] * *f;
              }
            }
          *out++ = acc;
        }
      w += C * K * K;
    }
  }
}
