// RUN: %host %s %t
// A window that is moved either way, also past its own width.
// CALL: moved(30, 41, 0, 0)
// CALL: moved(30, 41, 1, 1)
// CALL: moved(30, 41, -1, 2)
// CALL: moved(30, 41, -3, -2)
// CALL: moved(17, 64, 5, -4)
// CALL: moved(17, 64, 0, -1)
void moved(const float *in, const float *w, float *out, int h, int n, int dx,
           int dy) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
          int v = y + i + dy, u = x + j + dx;
          if (v >= 0 && v < h && u >= 0 && u < n)
            sum += in[v * n + u] * w[(i + 1) * 3 + j + 1];
        }
      out[y * n + x] = sum;
    }
}
