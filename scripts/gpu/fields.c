// Filters of arrays of structures and of interleaved channels:
// docs/results/2026-11-29-h200-windows.md.
typedef struct { float re, im; } Complex;
typedef struct { unsigned char r, g, b; } RGB;
typedef struct { unsigned char x, y, z, w; } RGBA;
typedef struct { float r, g, b; } Pixel;

// x of n + taps - 1 samples.
void fir(const Complex *x, const float *h, Complex *y, int n, int taps) {
  for (int i = 0; i < n; i++) {
    float re = 0, im = 0;
    for (int t = 0; t < taps; t++) {
      re += h[t] * x[i + t].re;
      im += h[t] * x[i + t].im;
    }
    y[i].re = re;
    y[i].im = im;
  }
}

static int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

void blur_clamped(const RGB *in, const float *f, RGB *out, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float r = 0, g = 0, b = 0;
      for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
          const RGB p = in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
          const float v = f[(dy + 2) * 5 + dx + 2];
          r += v * p.r;
          g += v * p.g;
          b += v * p.b;
        }
      out[y * w + x].r = (unsigned char)r;
      out[y * w + x].g = (unsigned char)g;
      out[y * w + x].b = (unsigned char)b;
    }
}

void box(const RGBA *in, RGBA *out, int w, int h) {
  for (int y = 0; y < h - 4; y++)
    for (int x = 0; x < w - 4; x++) {
      int a = 0, b = 0, c = 0, d = 0;
      for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
          a += in[(y + i) * w + x + j].x;
          b += in[(y + i) * w + x + j].y;
          c += in[(y + i) * w + x + j].z;
          d += in[(y + i) * w + x + j].w;
        }
      out[y * w + x].x = a / 25;
      out[y * w + x].y = b / 25;
      out[y * w + x].z = c / 25;
      out[y * w + x].w = d / 25;
    }
}

void filter(const Pixel *in, const float *f, Pixel *out, int w, int h) {
  for (int y = 0; y < h - 6; y++)
    for (int x = 0; x < w - 6; x++) {
      Pixel s = {0, 0, 0};
      for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
          s.r += f[i * 7 + j] * in[(y + i) * w + x + j].r;
          s.g += f[i * 7 + j] * in[(y + i) * w + x + j].g;
          s.b += f[i * 7 + j] * in[(y + i) * w + x + j].b;
        }
      out[y * w + x] = s;
    }
}

// The same of numbers: three channels, side by side.
void interleaved(const float *in, const float *f, float *out, int w, int h) {
  for (int y = 0; y < h - 6; y++)
    for (int x = 0; x < w - 6; x++)
      for (int c = 0; c < 3; c++) {
        float s = 0;
        for (int i = 0; i < 7; i++)
          for (int j = 0; j < 7; j++)
            s += f[i * 7 + j] * in[((y + i) * w + x + j) * 3 + c];
        out[(y * w + x) * 3 + c] = s;
      }
}
