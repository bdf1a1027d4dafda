// What depends on one another in the loops of a body stays together; the rest is
// of other kernels, whatever stands between.
//
// A sum in a local, and one that neighbours add to: inner loops first.
// RUN: %convopt %s -function=row -o - 2>&1 | FileCheck %s --check-prefix=ROW
// ROW:      // Schedule of row_tiled:
// ROW-NEXT: //   distribute=i{{$}}
// ROW-NEXT: //   distribute=r,1,1,2,1{{$}}
// ROW-NEXT: // Schedule of row_tiled_1:
// ROW-NEXT: //   strip-mine=r,
// ROW:      // Schedule of row_tiled_2:
// ROW-NEXT: //   gather=dx
// ROW:      'row' has 2 kernels

// A value that both read is computed in both, with what it is made of.
// RUN: %convopt %s -function=value -o - 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE:      // Schedule of value_tiled:
// VALUE-NEXT: //   # g_ computed again
// VALUE-NEXT: //   # t___ computed again
// VALUE-NEXT: //   distribute=i,{{[12,]*$}}
// VALUE-NEXT: //   distribute=r,1,1,2,1{{$}}
// VALUE:      {{^}}    value_tiled_1_kernel(
// VALUE:          float t;
// VALUE-NEXT:     float g;
// VALUE-NEXT:     t = sqrtf(y[i]) * s;
// VALUE-NEXT:     g = (t > 0 ? t : 0.5f);
// VALUE-NEXT:     a += g * x[r + i] + t;
// VALUE:      {{^}}    value_tiled_2_kernel(
// VALUE-COUNT-1: sqrtf(
// VALUE:      {{g_*}} * w_s[

// Of statements, those that wait in the same loops, inner ones too, go together.
// RUN: %convopt %s -function=maps -o - 2>&1 | FileCheck %s --check-prefix=MAPS
// MAPS:      // Schedule of maps_tiled:
// MAPS-NEXT: //   distribute=i,2,2,3,1{{$}}
// MAPS-NEXT: //   distribute=r,1,1,2,3,1{{$}}
// MAPS:      'maps' has 3 kernels

// What is alike, and may be, comes next, and is one kernel.
// RUN: %convopt %s -function=around -fassociative-math -o - 2>&1 | FileCheck %s --check-prefix=AROUND
// AROUND:      // Schedule of around_tiled:
// AROUND-NEXT: //   distribute=i,1,3,2{{$}}
// AROUND-NEXT: // Schedule of around_tiled_1:
// AROUND-NEXT: //   jam=i,i_2
// AROUND:      'around' has 2 kernels

// A cycle through memory, and one through a local that is set twice.
// RUN: %convopt %s -function=cycle -o - 2>&1 | FileCheck %s --check-prefix=CYCLE
// CYCLE:      // Schedule of cycle_tiled:
// CYCLE-NEXT: //   distribute=i,1,2,1{{$}}
// CYCLE-NEXT: //   distribute=k{{$}}
// RUN: %convopt %s -function=twice -o - 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE:      // Schedule of twice_tiled:
// TWICE-NEXT: //   distribute=i,1,1,2,1{{$}}
// TWICE-NEXT: //   distribute=k{{$}}

// What a guard holds stays together, and what all waits in the same loops does.
// RUN: not %convopt %s -function=guarded -o - 2>&1 | FileCheck %s --check-prefix=GUARDED
// GUARDED: components.c:[[#@LINE + 85]]:9: error: loop 'r' cannot be mapped to grid.x
// RUN: %convopt %s -function=alike -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s --check-prefix=ALIKE --implicit-check-not=distribute
// ALIKE: alike_tiled_kernel

// What is left of a recurrence has no loop for a grid.
// RUN: not %convopt %s -function=alone -o - 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: components.c:[[#@LINE + 101]]:5: error: loop 'i' cannot be mapped to grid.x

#include <math.h>

void row(const float *x, const float *dy, float *dw, float *dx, const float *w,
         int n) {
  for (int r = 0; r < 3; r++) {
    float a = 0;
    for (int i = 0; i < n; i++) {
      a += dy[i] * x[i + r];
      dx[i + r] += dy[i] * w[r];
    }
    dw[r] = a;
  }
}

void value(const float *x, const float *y, float *dw, float *dx,
           const float *w, int n, float s) {
  for (int r = 0; r < 3; r++) {
    float a = 0;
    for (int i = 0; i < n; i++) {
      float t = sqrtf(y[i]) * s;
      float g = t > 0 ? t : 0.5f;
      a += g * x[i + r] + t;
      dx[i + r] += g * w[r] - t;
    }
    dw[r] = a;
  }
}

void maps(const float *x, const float *y, float *dw, float *dx, float *dy,
          float *dz, int n) {
  for (int r = 0; r < 3; r++) {
    float a = 0;
    for (int i = 0; i < n; i++) {
      dy[r * n + i] = x[i] * y[r];
      dz[r * n + i] = x[i] + y[r];
      dx[i + r] += x[i] * y[r];
      a += x[i] * y[i + r];
    }
    dw[r] = a;
  }
}

void around(const float *x, float *s, float *t, float *u, int n) {
  for (int i = 0; i < n; i++) {
    s[i] = x[i] * 2.0f;
    t[0] += s[i] * x[i];
    u[i] = x[i] + s[i];
  }
}

void cycle(const float *c, float *x, float *y, float *z, int n, int K) {
  for (int k = 0; k < K; k++)
    for (int i = 1; i < n; i++) {
      x[k * n + i] = y[k * n + i - 1] + 1;
      z[k * n + i] = x[k * n + i] * c[i];
      y[k * n + i] = x[k * n + i] / 2;
    }
}

void twice(const float *c, const float *x, float *y, float *z, int n, int K) {
  for (int k = 0; k < K; k++)
    for (int i = 1; i < n; i++) {
      float t = y[k * n + i - 1] * 0.5f;
      if (t < 0)
        t = 0;
      z[k * n + i] = c[i] * c[i - 1];
      y[k * n + i] = t + x[k * n + i];
    }
}

void guarded(const float *x, const float *dy, float *dw, float *dx,
             const float *w, int n) {
  for (int r = 0; r < 3; r++) {
    float a = 0;
    for (int i = 0; i < n; i++)
      if (i > r) {
        a += dy[i] * x[i + r];
        dx[i + r] += dy[i] * w[r];
      }
    dw[r] = a;
  }
}

void alike(const float *x, float *gx, float *gy, int h, int w) {
  for (int y = 0; y < h - 2; y++)
    for (int u = 0; u < w - 2; u++) {
      float a = 0, b = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          a += (i - 1) * x[(y + i) * w + u + j];
          b += (j - 1) * x[(y + i) * w + u + j];
        }
      gx[y * (w - 2) + u] = a;
      gy[y * (w - 2) + u] = b;
    }
}

void alone(const float *c, float *x, float *y, float *z, int n) {
  for (int i = 1; i < n; i++) {
    x[i] = y[i - 1] + 1;
    z[i] = x[i] * c[i];
    y[i] = x[i] / 2;
  }
}
