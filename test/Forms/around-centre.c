// All neighbours but the pixel itself, and what they weigh together.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: if -i == 0 and -j - 1 >= 0
// CHECK: S10: out[y][x] = in[y][x] + amount * (in[y][x] - s / total)
void sharpen(const float *in, const float *w, float *out, int H, int W,
             float amount) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0, total = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
          if (i == 0 && j == 0)
            continue;
          if (y + i < 0 || y + i >= H || x + j < 0 || x + j >= W)
            continue;
          s += in[(y + i) * W + x + j] * w[(i + 1) * 3 + j + 1];
          total += w[(i + 1) * 3 + j + 1];
        }
      out[y * W + x] = in[y * W + x] + amount * (in[y * W + x] - s / total);
    }
}
