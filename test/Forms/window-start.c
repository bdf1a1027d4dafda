// Windows that are clipped at the border, with filters that start where these do.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -shape=C=2,H=6,W=9,OH=4,OW=5,K=3,S=2,P=1 -shape=C=1,H=9,W=12,OH=9,OW=12,K=5,S=1,P=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -shape=C=2,H=11,W=19,OH=6,OW=10,K=3,S=2,P=1 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for h in max(y * S - P, 0) .. min(y * S + K - P, H) {
// CHECK-NEXT: for w in max(x * S - P, 0) .. min(x * S + K - P, W) {
// CHECK-NEXT: S1: s += in[c][h][w] * taps[c][h + P - y * S][w + P - x * S]
// CHECK-NEXT: }
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void conv(const float *in, const float *taps, float *out, int C, int H, int W,
          int OH, int OW, int K, int S, int P) {
  for (int c = 0; c < C; ++c)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x) {
        const int top = y * S - P, left = x * S - P;
        const int hend = MIN(top + K, H), wend = MIN(left + K, W);
        const int hstart = MAX(top, 0), wstart = MAX(left, 0);
        const int khstart = hstart - top, kwstart = wstart - left;
        float s = 0;
        for (int h = hstart; h < hend; ++h)
          for (int w = wstart; w < wend; ++w)
            s += in[(c * H + h) * W + w] *
                 taps[(c * K + khstart + h - hstart) * K + kwstart + w - wstart];
        out[(c * OH + y) * OW + x] = s;
      }
}
