// RUN: %host %s %t
// CALL: blur(9, 12, 2)
// CALL: blur(40, 70, 3)
// Two passes of a filter whose accumulator and iterators are declared once: two
// kernels in turn, each with an accumulator of its own.

void blur(int h, int w, int r, const unsigned char *src, const float *k,
          float *tmp, unsigned char *dst) {
  int x, y, i;
  float s;
  for (y = 0; y < h; y++)
    for (x = r; x < w - r; x++) {
      s = 0;
      for (i = -r; i <= r; i++)
        s += src[y * w + x + i] * k[i + r];
      tmp[y * w + x] = s;
    }
  for (y = r; y < h - r; y++)
    for (x = r; x < w - r; x++) {
      s = 0;
      for (i = -r; i <= r; i++)
        s += tmp[(y + i) * w + x] * k[i + r];
      dst[y * w + x] = s > 255 ? 255 : s < 0 ? 0 : (unsigned char)s;
    }
}
