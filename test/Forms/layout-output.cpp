// Images of one of two layouts, which an argument chooses: each becomes a nest
// of its own, and the loops stay for any other value.
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// CHECK: [[@LINE+25]]:3: remark: where 'layout' is 0, these loops of 'conv' are taken
// CHECK: [[@LINE+24]]:3: note: and where 'layout' is 1, these loops of 'conv'
// CHECK: 'conv{{_}}nest':
// CHECK: verified: {{[0-9]+}} shapes
// CHECK: 'conv{{_}}nest2':
// CHECK: verified: {{[0-9]+}} shapes
// TEXT: static void conv{{_}}nest(
// TEXT: Layout layout = (Layout)0;
// TEXT: static void conv{{_}}nest2(
// TEXT: Layout layout = (Layout)1;
// TEXT:        if (layout == (Layout)0)
// TEXT-NEXT:     conv{{_}}nest_tiled(x, wt, y, N, C, H, W, K, R, S);
// TEXT-NEXT:   else
// TEXT-NEXT:   if (layout == (Layout)1)
// TEXT-NEXT:     conv{{_}}nest2_tiled(x, wt, y, N, C, H, W, K, R, S);
// TEXT-NEXT:   else
// TEXT-NEXT:   for (int n = 0; n < N; ++n)
enum class Layout { NCHW, NHWC };
static int at(Layout l, int n, int c, int h, int w, int C, int H, int W) {
  return l == Layout::NCHW ? ((n * C + c) * H + h) * W + w
                           : ((n * H + h) * W + w) * C + c;
}
void conv(const float *x, const float *wt, float *y, int N, int C, int H, int W,
          int K, int R, int S, Layout layout) {
  const int P = H - R + 1, Q = W - S + 1;
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < K; ++k)
      for (int p = 0; p < P; ++p)
        for (int q = 0; q < Q; ++q) {
          float acc = 0.f;
          for (int c = 0; c < C; ++c)
            for (int r = 0; r < R; ++r)
              for (int s = 0; s < S; ++s)
                acc += x[at(layout, n, c, p + r, q + s, C, H, W)] *
                       wt[((k * C + c) * R + r) * S + s];
          y[at(layout, n, k, p, q, K, P, Q)] = acc;
        }
}
