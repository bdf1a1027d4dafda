// RUN: %host %s %t -tile=16,4 -reg=2
// Outputs by a stride of a clamped image: the last window passes its end.
// CALL: shrink(61, 40, 5, 2)
// CALL: shrink(60, 41, 3, 1)
// CALL: shrink(33, 18, 4, 3)
void shrink(const float *in, const float *k, float *out, int w, int h, int n,
            int s) {
  int ow = (w - 1) / s + 1, oh = (h - 1) / s + 1;
  for (int y = 0; y < oh; y++)
    for (int x = 0; x < ow; x++) {
      float sum = 0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          int v = y * s + i - n / 2, u = x * s + j - n / 2;
          v = v < 0 ? 0 : v >= h ? h - 1 : v;
          u = u < 0 ? 0 : u >= w ? w - 1 : u;
          sum += in[v * w + u] * k[i * n + j];
        }
      out[y * ow + x] = sum;
    }
}
