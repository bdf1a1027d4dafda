// Windows of which the width is an argument: docs/results/2026-11-29-h200-windows.md.
void fir1(const float *x, const float *h, float *y, int n, int taps) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int t = 0; t < taps; t++)
      s += h[t] * x[i + t];
    y[i] = s;
  }
}
void strided(const float *x, const float *f, float *y, int n, int k, int s) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < k; j++)
      sum += x[i * s + j] * f[j];
    y[i] = sum;
  }
}
void autocorrelation(const float *x, float *r, int n, int lags) {
  for (int l = 0; l < lags; l++) {
    float s = 0;
    for (int t = 0; t < n - lags; t++)
      s += x[t] * x[t + l];
    r[l] = s;
  }
}
void same(const float *x, const float *f, float *y, int n, int r) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = -r; j <= r; j++)
      if (i + j >= 0 && i + j < n)
        s += x[i + j] * f[j + r];
    y[i] = s;
  }
}
void moving(const float *x, float *y, int n, int r) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < r; j++)
      s += x[i + j];
    y[i] = s / r;
  }
}
void rows(const float *x, const float *f, float *y, int h, int w, int k) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w - k + 1; j++) {
      float s = 0;
      for (int t = 0; t < k; t++)
        s += f[t] * x[i * w + j + t];
      y[i * w + j] = s;
    }
}
void columns(const float *x, const float *f, float *y, int h, int w, int k) {
  for (int i = 0; i < h - k + 1; i++)
    for (int j = 0; j < w; j++) {
      float s = 0;
      for (int t = 0; t < k; t++)
        s += f[t] * x[(i + t) * w + j];
      y[i * w + j] = s;
    }
}
void conv1d(const float *x, const float *w, float *y, int N, int M, int C, int L, int K) {
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int i = 0; i < L - K + 1; i++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int k = 0; k < K; k++)
            s += w[(m * C + c) * K + k] * x[(n * C + c) * L + i + k];
        y[(n * M + m) * (L - K + 1) + i] = s;
      }
}
void layer(const float *x, const float *w, float *y, int B, int M, int C, int H, int W, int K) {
  const int Ho = H - K + 1, Wo = W - K + 1;
  for (int n = 0; n < B; n++)
    for (int m = 0; m < M; m++)
      for (int i = 0; i < Ho; i++)
        for (int j = 0; j < Wo; j++) {
          float s = 0;
          for (int c = 0; c < C; c++)
            for (int a = 0; a < K; a++)
              for (int b = 0; b < K; b++)
                s += w[((m * C + c) * K + a) * K + b] * x[((n * C + c) * H + i + a) * W + j + b];
          y[((n * M + m) * Ho + i) * Wo + j] = s;
        }
}
void image(const float *x, const float *f, float *y, int h, int w, int k) {
  for (int i = 0; i < h - k + 1; i++)
    for (int j = 0; j < w - k + 1; j++) {
      float s = 0;
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
          s += x[(i + a) * w + j + b] * f[a * k + b];
      y[i * (w - k + 1) + j] = s;
    }
}
void padded(const float *x, const float *f, float *y, int h, int w, int k) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float s = 0;
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
          int r = i + a - k / 2, c = j + b - k / 2;
          if (r >= 0 && r < h && c >= 0 && c < w)
            s += x[r * w + c] * f[a * k + b];
        }
      y[i * w + j] = s;
    }
}
void clamped(const float *x, const float *f, float *y, int h, int w, int k) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float s = 0;
      for (int a = -k; a <= k; a++)
        for (int b = -k; b <= k; b++) {
          int r = i + a < 0 ? 0 : i + a >= h ? h - 1 : i + a;
          int c = j + b < 0 ? 0 : j + b >= w ? w - 1 : j + b;
          s += x[r * w + c] * f[(a + k) * (2 * k + 1) + b + k];
        }
      y[i * w + j] = s;
    }
}
void box(const float *x, float *y, int h, int w, int k) {
  for (int i = 0; i < h - k + 1; i++)
    for (int j = 0; j < w - k + 1; j++) {
      float s = 0;
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
          s += x[(i + a) * w + j + b];
      y[i * (w - k + 1) + j] = s;
    }
}
void depthwise(const float *x, const float *f, float *y, int C, int h, int w, int k) {
  for (int c = 0; c < C; c++)
    for (int i = 0; i < h - k + 1; i++)
      for (int j = 0; j < w - k + 1; j++) {
        float s = 0;
        for (int a = 0; a < k; a++)
          for (int b = 0; b < k; b++)
            s += x[(c * h + i + a) * w + j + b] * f[(c * k + a) * k + b];
        y[(c * (h - k + 1) + i) * (w - k + 1) + j] = s;
      }
}
