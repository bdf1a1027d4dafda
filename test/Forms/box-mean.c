// A mean over windows that are clipped to the image, by macros.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

// CHECK: for yy in max({{.*}}) .. min({{.*}}) {
// CHECK: for xx in max({{.*}}) .. min({{.*}}) {
// CHECK: S1: sum += image[yy][xx]
void box_mean(const float *image, float *mean, int height, int width, int r) {
  int x, y, xx, yy;
  for (y = 0; y < height; ++y) {
    int top = MAX(y - r, 0);
    int bottom = MIN(y + r, height - 1);
    for (x = 0; x < width; ++x) {
      int left = x - r, right = x + r;
      float sum = 0;
      left = left < 0 ? 0 : left;
      right = MIN(right, width - 1);
      for (yy = top; yy <= bottom; ++yy)
        for (xx = left; xx <= right; ++xx)
          sum += image[yy * width + xx];
      mean[y * width + x] =
          sum / ((bottom - top + 1) * (right - left + 1));
    }
  }
}
