// The least of a window, and how often it is there.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: taken = (int)(in[y + j][x + i]) < m
// CHECK: taken_2 = !taken && ((int)(in[y + j][x + i]) == m)
// CHECK: n = taken_2 ? (int)(n + 1) : n
void erode(const unsigned char *in, unsigned char *out, int *hits, int w, int h, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int m = 255, n = 0;
      for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++) {
          int yy = y + j, xx = x + i;
          if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
          int v = in[yy * w + xx];
          if (v < m) { m = v; n = 1; }
          else if (v == m) n++;
        }
      out[y * w + x] = m;
      hits[y * w + x] = n;
    }
}
