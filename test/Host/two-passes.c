// RUN: %host %s %t
// Two nests of a C function, which calls the tiled form of each in its place.
// CALL: gauss(29, 41, 2)
// CALL: gauss(64, 20, 3)
static int clamped(int v, int last) { return v < 0 ? 0 : v > last ? last : v; }

void gauss(const float *in, float *rows, float *out, const float *g, int height,
           int width, int r) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0;
      for (int k = -r; k <= r; k++)
        sum += in[y * width + clamped(x + k, width - 1)] * g[k + r];
      rows[y * width + x] = sum;
    }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0;
      for (int k = -r; k <= r; k++)
        sum += rows[clamped(y + k, height - 1) * width + x] * g[k + r];
      out[y * width + x] = sum;
    }
}
