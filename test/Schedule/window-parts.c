// A window along rows whose width is known at run time only is staged in parts,
// which overlap; where nothing is gained by that, and where the width is known,
// there are none.
// RUN: %convopt %s -function=fir -emit=schedule | FileCheck %s --check-prefix=LINE
// RUN: %convopt %s -function=layer -emit=schedule | FileCheck %s --check-prefix=LAYER
// RUN: %convopt %s -function=fir -assume=taps=64 -emit=schedule | FileCheck %s --check-prefix=KNOWN
// RUN: %convopt %s -function=fir -assume=taps=5000 -emit=schedule | FileCheck %s --check-prefix=LONG
// RUN: %convopt %s -function=columns -emit=schedule | FileCheck %s --check-prefix=NONE
// RUN: %convopt %s -function=moving -emit=schedule | FileCheck %s --check-prefix=NONE
// RUN: %convopt %s -function=plane -emit=schedule | FileCheck %s --check-prefix=NONE
// RUN: %convopt %s -function=strided -emit=schedule | FileCheck %s --check-prefix=NONE
// RUN: %convopt %s -function=triangle -emit=schedule | FileCheck %s --check-prefix=WHOLE
// LINE: # other sizes:
// LINE: strip-mine=t,32,t_o,t_i
// LINE-NEXT: unroll=t_i
// LINE-NEXT: stage=h,t_o,shared,pitch:4{{$}}
// LINE-NEXT: stage=x,t_o,shared,pitch:4,vector:4{{$}}
// LINE-NEXT: stage=h,t_o,registers,vector:4
// LINE-NEXT: stage=x,t_o,registers,vector:4
// LAYER: # other sizes:
// LAYER: strip-mine=b,{{[0-9]+}},b_o,b_i
// LAYER: stage=w,b_o,shared{{.*}},depth:2
// LAYER-NEXT: stage=x,b_o,shared{{.*}},depth:2
// KNOWN-NOT: t_o
// KNOWN: stage=x,i_t,shared
// LONG: strip-mine=t,32,t_o,t_i
// LONG: stage=x,t_o,shared
// NONE: # other sizes:
// NONE-NOT: stage=
// WHOLE-NOT: strip-mine=r
// WHOLE: stage=

void fir(const float *x, const float *h, float *y, int n, int taps) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int t = 0; t < taps; t++)
      s += h[t] * x[i + t];
    y[i] = s;
  }
}

void layer(const float *x, const float *w, float *y, int M, int C, int H, int W,
           int K) {
  for (int m = 0; m < M; m++)
    for (int i = 0; i < H - K + 1; i++)
      for (int j = 0; j < W - K + 1; j++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int a = 0; a < K; a++)
            for (int b = 0; b < K; b++)
              s += w[((m * C + c) * K + a) * K + b] *
                   x[(c * H + i + a) * W + j + b];
        y[(m * (H - K + 1) + i) * (W - K + 1) + j] = s;
      }
}

// Rows above one another, of which the nearest cache has what windows share.
void columns(const float *x, const float *f, float *y, int h, int w, int k) {
  for (int i = 0; i < h - k + 1; i++)
    for (int j = 0; j < w; j++) {
      float s = 0;
      for (int t = 0; t < k; t++)
        s += f[t] * x[(i + t) * w + j];
      y[i * w + j] = s;
    }
}

// No filter.
void moving(const float *x, float *y, int n, int r) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < r; j++)
      s += x[i + j];
    y[i] = s;
  }
}

// Two dimensions, and no channels that share them.
void plane(const float *x, const float *f, float *y, int H, int W, int K) {
  for (int i = 0; i < H - K + 1; i++)
    for (int j = 0; j < W - K + 1; j++) {
      float s = 0;
      for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++)
          s += f[a * K + b] * x[(i + a) * W + j + b];
      y[i * (W - K + 1) + j] = s;
    }
}

// Windows without a box.
void strided(const float *x, const float *f, float *y, int n, int k, int s) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < k; j++)
      sum += x[i * s + j] * f[j];
    y[i] = sum;
  }
}

// Threads have terms of their own.
void triangle(const float *x, const float *w, float *y, int n) {
  for (int i = 0; i < n + 2; i++) {
    float s = 0;
    for (int r = i < n ? 0 : i - n + 1; r < (i < 2 ? i + 1 : 3); r++)
      s += x[i - r] * w[r];
    y[i] = s;
  }
}
