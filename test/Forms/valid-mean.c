// The mean of the pixels that are in the image, which are counted.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S2: sum += in[i][j]
// CHECK-NEXT: S3: count += 1
void mean(const unsigned char *in, unsigned char *out, int h, int w, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int sum = 0, count = 0;
      for (int i = y - r; i <= y + r; i++)
        for (int j = x - r; j <= x + r; j++)
          if (i >= 0 && i < h && j >= 0 && j < w) {
            sum += in[i * w + j];
            count++;
          }
      out[y * w + x] = (sum + count / 2) / count;
    }
}
