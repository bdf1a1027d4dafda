// A depthwise layer over the part of a window that is in the image. Its end is
// clipped twice, and its filter starts where that end says: at what the window
// has outside of the image, whichever end that is.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -emit=nest -- -DFROM_START | FileCheck --check-prefix=START %s
// RUN: %convopt %s -emit=nest -- -DHELPERS | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#ifdef HELPERS
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
#else
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif

// CHECK: assume H - K >= 0 "borders are narrower than what is within them"
// CHECK: for h in max(y * S - P, 0) .. min(y * S + K - P, H + P, H) {
// CHECK-NOT: if
// CHECK: S1: s += x[c][h][v] * w[c][h + P - y * S][v + P - i * S]
// START-NOT: if
// START: S1: s += x[c][h][v] * w[c][h + P - y * S][v + P - i * S]
void depthwise(const float *x, const float *w, float *out, int C, int H, int W,
               int OH, int OW, int K, int S, int P) {
  for (int c = 0; c < C; ++c)
    for (int y = 0; y < OH; ++y)
      for (int i = 0; i < OW; ++i) {
        int hstart = y * S - P, wstart = i * S - P;
        int hend = min(hstart + K, H + P), wend = min(wstart + K, W + P);
#ifdef FROM_START
        const int top = hstart, left = wstart;
#endif
        hstart = max(hstart, 0);
        wstart = max(wstart, 0);
        hend = min(hend, H);
        wend = min(wend, W);
#ifdef FROM_START
        const int kh = hstart - top, kw = wstart - left;
#else
        const int kh = hend < K ? K - hend : 0, kw = wend < K ? K - wend : 0;
#endif
        float s = 0;
        for (int h = hstart; h < hend; ++h)
          for (int v = wstart; v < wend; ++v)
            s += x[(c * H + h) * W + v] *
                 w[(c * K + kh + h - hstart) * K + kw + v - wstart];
        out[(c * OH + y) * OW + i] = s;
      }
}
