// Sums whose terms have divisions and functions: docs/results/2026-11-29-h200-terms.md.
#include <math.h>
void force(const float *x, float *f, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) {
      float d = x[j] - x[i];
      s += d / (1 + d * d * d * d);
    }
    f[i] = s;
  }
}
void coulomb(const float *x, const float *y, const float *z, const float *q, float *f, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      s += q[j] / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    }
    f[i] = s;
  }
}
void dft(const float *x, float *re, float *im, int n) {
  for (int k = 0; k < n; k++) {
    float a = 0, b = 0;
    for (int t = 0; t < n; t++) {
      float p = 6.2831853f * k * t / n;
      a += x[t] * cosf(p);
      b -= x[t] * sinf(p);
    }
    re[k] = a;
    im[k] = b;
  }
}
void gauss(const float *x, const float *w, const float *p, float *out, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += w[j] * expf(-(x[j] - p[i]) * (x[j] - p[i]));
    out[i] = s;
  }
}
void chi2(const float *a, const float *b, float *c, int n, int m, int k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int l = 0; l < k; l++) {
        float d = a[i * k + l] - b[j * k + l], t = a[i * k + l] + b[j * k + l];
        s += d * d / (t + 1e-6f);
      }
      c[i * m + j] = s;
    }
}
void tanhs(const float *a, const float *b, float *c, int n, int m, int k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += expf(a[i * k + l] + b[l * m + j]);
      c[i * m + j] = s;
    }
}
void bilateral(const float *in, const float *g, float *out, int H, int W) {
  for (int y = 2; y < H - 2; y++)
    for (int x = 2; x < W - 2; x++) {
      float num = 0, den = 0;
      for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
          float d = in[(y + j) * W + x + i] - in[y * W + x];
          float w = g[(j + 2) * 5 + i + 2] * expf(-d * d * 50.0f);
          num += w * in[(y + j) * W + x + i];
          den += w;
        }
      out[y * W + x] = num / den;
    }
}
