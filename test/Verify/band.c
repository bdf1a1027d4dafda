// Rows of which launchers take the whole image's array to be there: no other
// array is where the rest would be.
// RUN: %convopt %s -tile=16,4 -verify=cpu -shape=h=90,n=41,from=0,to=9 -shape=h=9,n=17,from=0,to=9 -o %t.cu 2>&1 | FileCheck %s
// CHECK: ok   h=90 n=41 from=0 to=9: integer-exact
// CHECK: verified: 2 shapes
void band(const float *in, float *out, int h, int n, int from, int to) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < n; x++)
      if (y >= from && y < to) {
        float sum = 0;
        for (int i = -1; i <= 1; i++) {
          int v = y + i;
          v = v < 0 ? 0 : v >= h ? h - 1 : v;
          sum += in[v * n + x];
        }
        out[y * n + x] = sum;
      }
}
