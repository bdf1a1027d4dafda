// -staging= stands for steps that nobody wrote: its refusal names the array and
// what to do about the option.
// RUN: %refuses 2 %s -staging=shared | FileCheck %s
// CHECK: staging-refused.cpp:14:7: error: -staging=shared cannot stage 'in': not every thread of a block comes to the copy to 'in_s' equally often [Storage]
// CHECK-NEXT: note: in step 'stage=in,
// CHECK-NEXT: note: leave out -staging=, for what can be staged here
#include <algorithm>
void means(const float *in, float *out, int w, int h, int r) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int y0 = std::max(0, y - r), y1 = std::min(h, y + r + 1);
      int x0 = std::max(0, x - r), x1 = std::min(w, x + r + 1);
      float s = 0;
      for (int v = y0; v < y1; ++v)
        for (int u = x0; u < x1; ++u)
          s += in[v * w + u];
      out[y * w + x] = s / float((y1 - y0) * (x1 - x0));
    }
}
