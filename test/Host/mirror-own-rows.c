// RUN: %host %s %t
// So has that of an image.
// CALL: mirror2(30, 41, 1, 3)
// CALL: mirror2(30, 41, 2, 5)
// CALL: mirror2(17, 64, 3, 7)
// CALL: mirror2(40, 33, 0, 3)
// CALL: mirror2(40, 33, 2, 3)
// CALL: mirror2(16, 16, 4, 9)
// CALL: mirror2(64, 20, 1, 4)
// CALL: mirror2(9, 70, 4, 5)
void mirror2(const float *s, const float *w, float *out, int h, int n, int a,
             int k) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0;
      for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
          int u = y + i - a;
          int t = x + j - a;
          if (u < 0)
            u = -u;
          if (u >= h)
            u = 2 * h - 2 - u;
          if (t < 0)
            t = -t;
          if (t >= n)
            t = 2 * n - 2 - t;
          sum += s[u * n + t] * w[i * k + j];
        }
      out[y * n + x] = sum;
    }
}
