// The sums of a pixel's channels in an array of the loop, clipped.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:16,y:4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: local sum
// CHECK: S1: sum[c_2] += kernel[dy + half][dx + half] * src[y + dy][x + dx][c_2]
#define CHANNELS 4
void filter(const unsigned char *src, float *dst, const float *kernel,
            int width, int height, int size) {
  const int half = size / 2;
  for (int y = half; y < height - half; y++)
    for (int x = half; x < width - half; x++) {
      float sum[CHANNELS];
      for (int c = 0; c < CHANNELS; c++)
        sum[c] = 0;
      for (int dy = -half; dy <= half; dy++)
        for (int dx = -half; dx <= half; dx++) {
          const float k = kernel[(dy + half) * size + dx + half];
          for (int c = 0; c < CHANNELS; c++)
            sum[c] += k * src[((y + dy) * width + x + dx) * CHANNELS + c];
        }
      for (int c = 0; c < CHANNELS; c++)
        dst[(y * width + x) * CHANNELS + c] =
            sum[c] < 0 ? 0 : sum[c] > 255 ? 255 : sum[c];
    }
}
