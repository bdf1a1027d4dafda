// RUN: %host %s %t 2>&1 | FileCheck %s
// The function around the loops stays, and calls the tiled code.
// CALL: conv(2, 3, 20, 33, 5, 3)
// CALL: conv(1, 4, 17, 40, 2, 5)
// CHECK: ok   conv(2, 3, 20, 33, 5, 3)
// CHECK: ok   conv(1, 4, 17, 40, 2, 5)
#include <cassert>
#include <cstring>

void conv(const float *in, const float *w, float *out, int N, int C, int H,
          int W, int M, int K) {
  if (N <= 0 || !in || !w)
    return;
  const int OH = H - K + 1;
  int OW;
  OW = W - K + 1;
  assert(OH > 0 && OW > 0);
  std::memset(out, 0, sizeof(float) * N * M * OH * OW);
  float weight[8];
  for (int c = 0; c < C; ++c)
    weight[c] = 1.0f + c;
  for (int n = 0; n < N; ++n) {
    for (int m = 0; m < M; ++m)
      for (int y = 0; y < OH; ++y)
        for (int x = 0; x < OW; ++x)
          for (int c = 0; c < C; ++c)
            for (int i = 0; i < K; ++i)
              for (int j = 0; j < K; ++j)
                out[((n * M + m) * OH + y) * OW + x] +=
                    in[((n * C + c) * H + y + i) * W + x + j] * weight[c] *
                    w[((m * C + c) * K + i) * K + j];
  }
  for (int k = 0; k < N * M * OH * OW; ++k)
    out[k] = out[k] > 0 ? out[k] : 0;
}
