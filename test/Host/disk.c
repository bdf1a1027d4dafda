// RUN: %host %s %t
// A guard that multiplies loops leaves the corners of the window out.
// CALL: disk(40, 37, 3)
// CALL: disk(20, 33, 1)
void disk(const float *in, const float *w, float *out, int H, int W, int r) {
  for (int y = r; y < H - r; y++)
    for (int x = r; x < W - r; x++) {
      float s = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++)
          if (i * i + j * j <= r * r)
            s += in[(y + i) * W + x + j] * w[(i + r) * (2 * r + 1) + j + r];
      out[y * W + x] = s;
    }
}
