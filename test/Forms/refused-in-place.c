// Refused: a filter in place, whose windows hold what it wrote before.
// RUN: %refuses 2 %s -tile=16,4 -reg=2 | FileCheck %s
// CHECK: [[@LINE+12]]:{{[0-9]+}}: error: loop 'y' cannot be mapped to grid.x: S2[y=1, x=1] must run before S1[y=2, x=1, i=-1, j=0] [Mapping]
// CHECK: note: flow dependence from img[y][x] in S2 to img[y + i][x + j] in S1
// CHECK: note: no loop of this nest is parallel
#define AT(p, y, x) ((p)[(y) * stride + (x)])

void smooth(unsigned char *img, const float *w, int height, int width,
            int stride) {
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      float s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          s += AT(img, y + i, x + j) * w[(i + 1) * 3 + j + 1];
      AT(img, y, x) = (unsigned char)(s + 0.5f);
    }
}
