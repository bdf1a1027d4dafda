// Loops side by side that no jam makes one band are kernels in turn: one
// launcher, which asks all that it has to ask first, and one copy of the arrays.
//
// RUN: %convopt %s -function=pooled -o - 2>&1 | FileCheck %s --check-prefix=POOLED
// POOLED:      // Schedule of pooled_tiled:
// POOLED-NEXT: //   distribute=k
// POOLED-NEXT: // Schedule of pooled_tiled_1:
// POOLED:      // Schedule of pooled_tiled_2:
// POOLED:      static cudaError_t pooled_tiled_1_launch(
// POOLED:      static cudaError_t pooled_tiled_2_launch(
// POOLED:      cudaError_t pooled_tiled_launch(
// POOLED:        return pooled_tiled_refuse(cudaErrorInvalidValue, "distinct arrays");
// POOLED-NEXT:   cudaError_t error = pooled_tiled_1_launch(x, t, y, K, H, stream);
// POOLED-NEXT:   if (error == cudaSuccess)
// POOLED-NEXT:     error = pooled_tiled_2_launch(x, t, y, K, H, stream);
// POOLED-NEXT:   return error;
// POOLED:      void pooled_tiled(
// POOLED:        error = pooled_tiled_launch(device_x, device_t, device_y, K, H, nullptr);

// Where what was asked for is about one kernel, there is one.
// RUN: %convopt %s -function=pooled -tile=64 -o - | FileCheck %s --check-prefix=TILE --implicit-check-not='{{^}}static cudaError_t pooled_tiled_1'
// RUN: %convopt %s -function=pooled -tile=64 -emit=schedule | FileCheck %s --check-prefix=TILE --implicit-check-not=distribute
// TILE: map=k
// RUN: %refuses 1 %s -function=pooled -emit=schedule | FileCheck %s --check-prefix=ONE
// ONE: error: the loops of 'pooled' are taken apart into kernels that run in turn, which one schedule cannot say [usage]

// A loop that waits for itself runs its kernels in turn; of an inner bound and
// of subscripts its iteration is a size.
// RUN: %convopt %S/../Host/lu.c -o - 2>&1 | FileCheck %s --check-prefix=LU
// LU:      cudaError_t lu_tiled_1_launch(int n, float *A, int k,
// LU:      cudaError_t lu_tiled_launch(
// LU:        cudaError_t error = cudaSuccess;
// LU-NEXT:   for (int k = 0; k < n && error == cudaSuccess; ++k) {
// LU-NEXT:     error = lu_tiled_1_launch(n, A, k, stream);
// LU-NEXT:     if (error == cudaSuccess)
// LU-NEXT:       error = lu_tiled_2_launch(n, A, k, stream);
// LU-NEXT:   }
// LU-NEXT:   return error;

// A sum that waits for itself has no loop to launch.
// RUN: %convopt %s -function=heat -o - 2>&1 | FileCheck %s --check-prefix=HEAT
// HEAT: for (int t = 0; t < T && error == cudaSuccess; ++t) {
// RUN: not %convopt %s -function=solve -o - 2>&1 | FileCheck %s --check-prefix=SOLVE
// SOLVE: error: loop 'i' cannot be mapped to grid.x
// RUN: not %convopt %s -function=recursive -o - 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: error: loop 'i' cannot be mapped to grid.x

// What only a kernel needs is asked at its turn, and nothing asks about
// iterations.
// RUN: %convopt %S/../Host/time-steps.c -emit=header | FileCheck %s --check-prefix=HEADER --implicit-check-not=iterations
// HEADER: // Launches the tiled kernels of 'recur' on the stream
// HEADER: // It needs, and else launches nothing and returns the error:

// A scalar of one part that another reads is in memory meanwhile, with an
// element for each iteration around it: not where that gains no loop that is
// long, and not where rows of the device's threads do as well.
// RUN: %convopt %s -function=scaled -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s --check-prefix=SCALED
// SCALED:      // Schedule of scaled_tiled:
// SCALED-NEXT: //   # s[i] in memory
// SCALED-NEXT: //   distribute=i
// SCALED:      // Schedule of scaled_tiled_1:
// SCALED:      stage=x,{{.*}},shared
// SCALED:      // Schedule of scaled_tiled_2:
// SCALED:      static cudaError_t scaled_tiled_1_launch(const float *x, const float *y, int n,
// SCALED-NEXT: int m, float *s, cudaStream_t stream) {
// SCALED:      static cudaError_t scaled_tiled_2_launch(
// SCALED-NOT:  "distinct arrays");
// SCALED:      {{^}}extern "C" cudaError_t scaled_tiled_launch(const float *x, float *y, int n,
// SCALED-NEXT: int m, cudaStream_t stream) {
// SCALED:      "distinct arrays");
// SCALED:      const size_t s_elements = scaled_tiled_elements({n});
// SCALED:      error = scaled_tiled_take(&s2, s_elements * sizeof(float), stream, "'s'");
// SCALED:      error = scaled_tiled_1_launch(x, y, n, m, s2, stream);
// SCALED:      error = scaled_tiled_2_launch(x, y, n, m, s2, stream);
// SCALED:      cudaFreeAsync(s2, stream);
// RUN: %convopt %s -function=few -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s --check-prefix=SHORT --implicit-check-not='{{^}}static cudaError_t few_tiled_1'
// SHORT: few_tiled_kernel
// RUN: %convopt %s -function=columns -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s --check-prefix=COLUMNS --implicit-check-not='{{^}}static cudaError_t columns_tiled_1'
// COLUMNS: columns_tiled_kernel
// RUN: %convopt %s -function=normalised -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s --check-prefix=NORMALISED
// NORMALISED:      //   # s[i] in memory
// NORMALISED-NEXT: //   distribute=i

// A sum to one element is a part of one thread beside what has more loops, whose
// warp copies for it and adds up the same; what only sets a local moves to what
// uses it. The iterations of 'it' have one element.
// RUN: %convopt %s -function=power -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s --check-prefix=POWER
// POWER:      //   # norm[0] in memory
// POWER:      // Schedule of power_tiled_2:
// POWER:      //   map=once_t,block.x
// POWER:      stage=w,{{.*}},shared
// POWER:      const size_t norm_elements = power_tiled_elements({32});
// POWER:      error = power_tiled_take(
// POWER:      for (int it = 0; it < iters && error == cudaSuccess; ++it) {
// Sums that begin together are added up together; what is another name for an
// element of a matrix is no second matrix.
// RUN: %convopt %s -function=both -o - 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: 'both' has 2 kernels
// RUN: %convopt %s -function=named -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s --check-prefix=NAMED
// NAMED-NOT: in memory
// One that has as many is not, unless threads may share it.
// RUN: not %convopt %s -function=unit -o - 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: sequence.c:[[#]]:{{[0-9]+}}: error: {{.*}} [Mapping]
// RUN: %convopt %s -function=unit -fassociative-math -o - 2>&1 | sed '/^#ifndef/,/^#else/d' | FileCheck %s --check-prefix=SHARED
// SHARED: unit_tiled_1: in each iteration of 't'; {{.*}} threads a sum

void pooled(const float *x, float *t, float *y, int K, int H) {
  for (int k = 0; k < K; k++) {
    for (int h = 0; h < H; h++)
      t[k * H + h] = 2 * x[k * H + h];
    for (int h = 0; h < H / 2; h++)
      y[k * (H / 2) + h] = t[k * H + 2 * h] + t[k * H + 2 * h + 1];
  }
}

void heat(float *u, int T, int n, int m) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[((t + 1) * n + i) * m + j] =
            u[(t * n + i - 1) * m + j] + u[(t * n + i + 1) * m + j] +
            u[(t * n + i) * m + j - 1] + u[(t * n + i) * m + j + 1];
}

void solve(const float *L, float *x, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] -= L[i * n + j] * x[j];
}

void recursive(const float *x, float *y, int n) {
  for (int i = 1; i < n; i++)
    y[i] = y[i - 1] * 0.5f + x[i];
}

void scaled(const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * s;
  }
}

void normalised(const float *a, float *x, float *y, const float *w, int n,
                int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      x[i * m + j] = a[i * m + j] + a[j];
    float s = 0;
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    for (int j = 0; j < m; j++)
      x[i * m + j] *= s;
    for (int c = 0; c < m; c++)
      for (int j = 0; j < m; j++)
        y[i * m + c] += x[i * m + j] * w[c * m + j];
  }
}

void few(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < 8; j++)
      s += x[i * 8 + j];
    for (int j = 0; j < 8; j++)
      y[i * 8 + j] = x[i * 8 + j] * s;
  }
}

void columns(const float *x, float *y, int n, int m, int p) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < p; k++) {
      float s = 0;
      for (int j = 0; j < m; j++)
        s += x[(i * m + j) * p + k];
      for (int j = 0; j < m; j++)
        y[(i * m + j) * p + k] = x[(i * m + j) * p + k] * s;
    }
}

void power(const float *A, float *v, float *w, int N, int iters) {
  for (int it = 0; it < iters; it++) {
    float norm = 0;
    for (int i = 0; i < N; i++) {
      w[i] = 0;
      for (int j = 0; j < N; j++)
        w[i] += A[i * N + j] * v[j];
    }
    for (int i = 0; i < N; i++)
      norm += w[i] * w[i];
    for (int i = 0; i < N; i++)
      v[i] = w[i] / norm;
  }
}

void unit(float *v, int N, int steps) {
  for (int t = 0; t < steps; t++) {
    float norm = 0;
    for (int i = 0; i < N; i++)
      norm += v[i] * v[i];
    for (int i = 0; i < N; i++)
      v[i] = v[i] / norm;
  }
}

void both(const float *a, float *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    float s = 0, t = 0;
    for (int j = 0; j < m; j++) {
      s += a[i * m + j];
      t += a[i * m + j] * a[i * m + j];
    }
    for (int j = 0; j < m; j++)
      y[i * m + j] = a[i * m + j] * s + t;
  }
}

void named(float *a, const float *b, float *o, int n, int m, int p) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i * m + j] *= 2;
      float v = a[i * m + j];
      for (int k = 0; k < p; k++)
        o[(i * m + j) * p + k] = v * b[k];
    }
}
