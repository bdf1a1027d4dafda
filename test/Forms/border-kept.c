// Pixels of the border are copied, the others filtered.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S{{[0-9]+}}: out[y][x] = in[y][x]
// CHECK: S{{[0-9]+}}: sum += in[y + i][x + j] * w[i + r][j + r]
#define PIXEL(p, y, x) (p)[(y) * width + (x)]
void filter(const short *in, const short *w, short *out, int height, int width,
            int r, int shift) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      if (y < r || x < r || y >= height - r || x >= width - r) {
        PIXEL(out, y, x) = PIXEL(in, y, x);
      } else {
        int sum = 0;
        for (int i = -r; i <= r; i++)
          for (int j = -r; j <= r; j++)
            sum += PIXEL(in, y + i, x + j) * w[(i + r) * (2 * r + 1) + j + r];
        PIXEL(out, y, x) = (short)(sum >> shift);
      }
    }
}
