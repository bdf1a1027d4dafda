// A lambda that is passed to a parallel_for whose body is visible.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,1 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
template <typename F> void parallel_for(int begin, int end, F f) {
  for (int i = begin; i < end; ++i)
    f(i);
}

// CHECK: for i in 0 .. M {
// CHECK: S1: s += x[ch][r + a - pad][c + b - pad] * w[i][ch][a][b]
// CHECK: y[i][r][c] = s
void layer(const float *x, const float *w, float *y, int C, int M, int H, int W,
           int K, int pad) {
  const int P = H + 2 * pad - K + 1, Q = W + 2 * pad - K + 1;
  parallel_for(0, M, [=](int m) {
    for (int r = 0; r < P; ++r)
      for (int c = 0; c < Q; ++c) {
        float s = 0;
        for (int ch = 0; ch < C; ++ch)
          for (int a = 0; a < K; ++a)
            for (int b = 0; b < K; ++b) {
              const int i = r + a - pad, j = c + b - pad;
              if (i >= 0 && i < H && j >= 0 && j < W)
                s += x[(ch * H + i) * W + j] * w[((m * C + ch) * K + a) * K + b];
            }
        y[(m * P + r) * Q + c] = s;
      }
  });
}
