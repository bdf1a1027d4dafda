// Functions that sweep.py was run on: docs/results/2026-11-29-h200-sweeps.md.
#include <float.h>
#include <math.h>
#include <stdlib.h>

void rgb_box(const unsigned char *rgb, unsigned char *out, int w, int h,
             int k) {
  int a = (k - 1) / 2;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int c = 0; c < 3; c++) {
        int s = 0;
        for (int j = 0; j < k; j++) {
          int yy = y + j - a;
          yy = yy < 0 ? 0 : (yy >= h ? h - 1 : yy);
          for (int i = 0; i < k; i++) {
            int xx = x + i - a;
            xx = xx < 0 ? 0 : (xx >= w ? w - 1 : xx);
            s += rgb[(yy * w + xx) * 3 + c];
          }
        }
        out[(y * w + x) * 3 + c] = s / (k * k);
      }
}

void sad(const unsigned char *img, const unsigned char *tpl, int *score, int W,
         int H, int tw, int th) {
  for (int y = 0; y <= H - th; y++)
    for (int x = 0; x <= W - tw; x++) {
      int d = 0;
      for (int j = 0; j < th; j++)
        for (int i = 0; i < tw; i++)
          d += abs(img[(y + j) * W + x + i] - tpl[j * tw + i]);
      score[y * (W - tw + 1) + x] = d;
    }
}

void dw(const float *x, const float *w, const float *bias, float *y, int C,
        int H, int W, int K) {
  int p = K / 2;
  for (int c = 0; c < C; c++)
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) {
        float s = bias[c];
        for (int a = 0; a < K; a++) {
          int ii = i + a - p;
          if (ii < 0 || ii >= H)
            continue;
          for (int b = 0; b < K; b++) {
            int jj = j + b - p;
            if (jj < 0 || jj >= W)
              continue;
            s += x[(c * H + ii) * W + jj] * w[(c * K + a) * K + b];
          }
        }
        y[(c * H + i) * W + j] = s > 6.0f ? 6.0f : (s < 0.0f ? 0.0f : s);
      }
}

void maxpool(const float *x, float *y, int C, int H, int W, int k, int stride) {
  int OH = (H - k) / stride + 1, OW = (W - k) / stride + 1;
  for (int c = 0; c < C; c++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float m = -FLT_MAX;
        for (int p = 0; p < k; p++)
          for (int q = 0; q < k; q++) {
            float v = x[(c * H + i * stride + p) * W + j * stride + q];
            if (v > m)
              m = v;
          }
        y[(c * OH + i) * OW + j] = m;
      }
}

void causal(const float *x, const float *w, const float *b, float *y, int B,
            int T, int D, int K) {
  for (int n = 0; n < B; n++)
    for (int t = 0; t < T; t++)
      for (int d = 0; d < D; d++) {
        float s = b[d];
        for (int k = 0; k < K; k++) {
          int u = t - (K - 1) + k;
          if (u >= 0)
            s += x[(n * T + u) * D + d] * w[d * K + k];
        }
        y[(n * T + t) * D + d] = s / (1.0f + expf(-s));
      }
}

void conv_nhwc(const float *in, const float *wt, float *out, int N, int H,
               int W, int C, int O, int KH, int KW) {
  int OH = H - KH + 1, OW = W - KW + 1;
  for (int n = 0; n < N; ++n)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x)
        for (int o = 0; o < O; ++o) {
          float acc = 0;
          for (int ky = 0; ky < KH; ++ky)
            for (int kx = 0; kx < KW; ++kx)
              for (int c = 0; c < C; ++c)
                acc += in[((n * H + y + ky) * W + x + kx) * C + c] *
                       wt[((ky * KW + kx) * C + c) * O + o];
          out[((n * OH + y) * OW + x) * O + o] = acc;
        }
}

void dw_nhwc(const float *x, const float *w, float *y, int N, int H, int W,
             int C, int K, int pad) {
  int OW = W + 2 * pad - K + 1, OH = H + 2 * pad - K + 1;
  for (int n = 0; n < N; n++)
    for (int oy = 0; oy < OH; oy++)
      for (int ox = 0; ox < OW; ox++)
        for (int c = 0; c < C; c++) {
          float s = 0;
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
              int iy = oy + i - pad, ix = ox + j - pad;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                s +=
                    x[((n * H + iy) * W + ix) * C + c] * w[(i * K + j) * C + c];
            }
          y[((n * OH + oy) * OW + ox) * C + c] = s;
        }
}

void box3(const float *in, float *out, int h, int w) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          s += in[(y + i) * w + x + j];
      out[y * w + x] = s / 9;
    }
}
void avgpool(const float *x, float *y, int N, int H, int W, int C) {
  for (int n = 0; n < N; n++)
    for (int i = 0; i < H / 2; i++)
      for (int j = 0; j < W / 2; j++)
        for (int c = 0; c < C; c++) {
          float s = 0;
          for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++)
              s += x[((n * H + 2 * i + p) * W + 2 * j + q) * C + c];
          y[((n * (H / 2) + i) * (W / 2) + j) * C + c] = s * 0.25f;
        }
}
void heat3d(const float *a, float *b, int n) {
  for (int z = 1; z < n - 1; z++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++)
        b[(z * n + y) * n + x] =
            0.4f * a[(z * n + y) * n + x] +
            0.1f *
                (a[(z * n + y) * n + x - 1] + a[(z * n + y) * n + x + 1] +
                 a[(z * n + y - 1) * n + x] + a[(z * n + y + 1) * n + x] +
                 a[((z - 1) * n + y) * n + x] + a[((z + 1) * n + y) * n + x]);
}
void sharpen_rgb(const float *in, const float *f, float *out, int h, int w) {
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++)
      for (int c = 0; c < 3; c++) {
        float s = 0;
        for (int i = -2; i <= 2; i++)
          for (int j = -2; j <= 2; j++)
            s += in[((y + i) * w + x + j) * 3 + c] * f[(i + 2) * 5 + j + 2];
        out[(y * w + x) * 3 + c] = s;
      }
}
void first_layer(const float *in, const float *f, float *out, int N, int H,
                 int W, int O) {
  for (int n = 0; n < N; n++)
    for (int y = 0; y < H - 2; y++)
      for (int x = 0; x < W - 2; x++)
        for (int o = 0; o < O; o++) {
          float s = 0;
          for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
              for (int c = 0; c < 3; c++)
                s += in[((n * H + y + i) * W + x + j) * 3 + c] *
                     f[((i * 3 + j) * 3 + c) * O + o];
          out[((n * (H - 2) + y) * (W - 2) + x) * O + o] = s;
        }
}

void sum_channels(const short *in, int *out, int w, int h) {
  for (int y = 0; y < h - 2; y++)
    for (int x = 0; x < w - 2; x++) {
      int s = 0;
      for (int c = 0; c < 4; c++)
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            s += in[((y + i) * w + x + j) * 4 + c];
      out[y * (w - 2) + x] = s;
    }
}

void sad_rgb(const unsigned char *a, const unsigned char *t, int *out, int w,
             int h) {
  for (int y = 0; y <= h - 8; y++)
    for (int x = 0; x <= w - 8; x++) {
      int s = 0;
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          for (int c = 0; c < 3; c++) {
            int d = a[((y + i) * w + x + j) * 3 + c] - t[(i * 8 + j) * 3 + c];
            s += d < 0 ? -d : d;
          }
      out[y * w + x] = s;
    }
}

void halve_rgb(const unsigned char *in, unsigned char *out, int w, int h) {
  for (int y = 0; y < h / 2; y++)
    for (int x = 0; x < w / 2; x++)
      for (int c = 0; c < 3; c++) {
        int s = 2;
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++)
            s += in[((2 * y + i) * w + 2 * x + j) * 3 + c];
        out[(y * (w / 2) + x) * 3 + c] = s / 4;
      }
}

void pitch2(const unsigned char *in, unsigned char *out, int w, int h,
            int stride) {
  for (int y = 4; y < h - 4; ++y)
    for (int x = 4; x < w - 4; ++x)
      for (int c = 0; c < 3; ++c) {
        unsigned s = 0;
        for (int i = -4; i <= 4; ++i)
          for (int j = -4; j <= 4; ++j)
            s += in[(y + i) * stride + (x + j) * 3 + c];
        out[y * stride + x * 3 + c] = s / 81u;
      }
}

void prodshort(const short *a, const short *b, int *out, int w, int h) {
  for (int y = 0; y < h - 10; y++)
    for (int x = 0; x < w - 10; x++) {
      int s = 0;
      for (int i = 0; i < 11; i++)
        for (int j = 0; j < 11; j++)
          s += a[(y + i) * w + x + j] * b[i * 11 + j];
      out[y * w + x] = s >> 8;
    }
}

static int reflect(int i, int n) {
  return i < 0 ? -i - 1 : i >= n ? 2 * n - 1 - i : i;
}
void mirror_alpha(const short *in, short *out, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int c = 0; c < 4; c++) {
        int s = 0;
        for (int j = -3; j <= 3; j++)
          s += in[(y * w + reflect(x + j, w)) * 4 + c] * (4 - (j < 0 ? -j : j));
        out[(y * w + x) * 4 + c] = c == 3 ? in[(y * w + x) * 4 + c] : s / 16;
      }
}

void volume(const float *v, const float *f, float *o, int D, int H, int W,
            int k) {
  int od = D - k + 1, oh = H - k + 1, ow = W - k + 1;
  for (int z = 0; z < od; z++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float s = 0;
        for (int a = 0; a < k; a++)
          for (int b = 0; b < k; b++)
            for (int c = 0; c < k; c++)
              s +=
                  v[((z + a) * H + y + b) * W + x + c] * f[(a * k + b) * k + c];
        o[(z * oh + y) * ow + x] = s;
      }
}
