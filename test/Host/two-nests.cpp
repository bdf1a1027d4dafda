// RUN: %host %s %t -tile=x:16,y:2
// Two nests that follow one another, of which the second reads what the first
// writes.
// CALL: blur(64, 48, 2)
// CALL: blur(31, 20, 1)
// READS: from the base
void blur(const float *in, const float *g, float *tmp, float *out, int w, int h,
          int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int k = -r; k <= r; k++) {
        const int u = x + k < 0 ? 0 : x + k >= w ? w - 1 : x + k;
        s += in[y * w + u] * g[k + r];
      }
      tmp[y * w + x] = s;
    }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int k = -r; k <= r; k++) {
        const int v = y + k < 0 ? 0 : y + k >= h ? h - 1 : y + k;
        s += tmp[v * w + x] * g[k + r];
      }
      out[y * w + x] = s;
    }
}
