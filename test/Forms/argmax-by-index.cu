// The greatest of a window, read again by the index that was kept of it.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: taken = in[[AT:.*]] > best
// CHECK: at = taken ? (int)({{.*}}) : at
// CHECK: best = taken ? (float)(in[[AT]]) : best
#include <cfloat>
__global__ void pool(int n, const float *in, float *out, int *mask, int c, int h,
                     int w, int oh, int ow, int k, int s) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    const int px = i % ow, py = i / ow % oh, p = i / ow / oh;
    const float *const plane = in + p * h * w;
    const int y1 = min(py * s + k, h), x1 = min(px * s + k, w);
    float best = -FLT_MAX;
    int at = -1;
    for (int y = py * s; y < y1; ++y)
      for (int x = px * s; x < x1; ++x)
        if (plane[y * w + x] > best) {
          at = y * w + x;
          best = plane[at];
        }
    out[i] = best;
    mask[i] = at;
  }
}
